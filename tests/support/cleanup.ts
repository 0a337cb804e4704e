// What a test file leaves behind is removed when the file ends, even what was created inside a test, where it is too
// late to register a hook. Files share their worker: what is not removed would go on beside the next one.

const cleanups: (() => unknown)[] = [];

export const atFileEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup);

/** The last thing created is removed first; one that cannot be removed does not keep the others. */
export async function runCleanups(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse())
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, "a test file could not be cleaned up");
}
