create table if not exists orders (
  id bigint generated always as identity primary key,
  product_id bigint not null references products,
  ordered_at timestamptz not null default now()
);
