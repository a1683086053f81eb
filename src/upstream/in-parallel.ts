/** Runs work on several items at a time. */

/** Starts items in order, `count` at a time. After a failure it starts no more, and rejects when all that were started have ended. */
export async function inParallel<T>(
  items: Iterable<T>,
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const goOn = async () => {
    for (let next = rest.next(); next.done !== true && failures.length === 0; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: count }, goOn));
  if (failures.length > 0) throw failures[0];
}
