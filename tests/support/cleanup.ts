// Everything that a test file creates is removed when the file ends, also if it was created inside a test, where it is too
// late to register a hook. Files share their worker, so leftovers would keep running beside the next file.

const cleanups: (() => unknown)[] = [];

export const atFileEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup);

/** Removes in reverse order of creation. A failed removal doesn't stop the others. */
export async function runCleanups(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse())
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, "the cleanup of a test file failed");
}
