// What a test file leaves behind is removed when the file ends, even what was created inside a test, where it is too
// late to register a hook.

const cleanups: (() => unknown)[] = [];

export const atFileEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup);

/** The last thing created is removed first. */
export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
