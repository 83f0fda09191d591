/** `Promise.all` with at most so many at a time; results in the order of the items. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  action: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const entries = items.entries()
  const work = async () => {
    for (const [index, item] of entries) results[index] = await action(item, index)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
