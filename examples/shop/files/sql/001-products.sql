create table if not exists products (
  id bigint generated always as identity primary key,
  name text not null,
  price_cents integer not null check (price_cents >= 0)
);
