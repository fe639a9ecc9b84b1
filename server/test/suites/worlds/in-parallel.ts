/** Calls `handle` for every item, for at most `concurrency` items at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  concurrency: number,
  handle: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items].values()
  const takeItems = async () => {
    for (const item of waiting) await handle(item)
  }
  await Promise.all(Array.from({ length: concurrency }, takeItems))
}
