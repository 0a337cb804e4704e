// Heap limits of a server (D-019). V8 reads the size of the young generation before any code of the program runs, so that
// `v8.setFlagsFromString` comes too late: the process replaces itself by one that was started with the flags. Worker processes
// inherit them.

const heapFlags = ["--max-semi-space-size=8", "--heap-growing-percent=50"] as const;

const getName = (flag: string): string => flag.split("=")[0] as string;

/** The options of Node and the arguments that follow it; null: all flags are there, or an operator has chosen others. */
export function addHeapFlags(execArgv: readonly string[], argv: readonly string[]): string[] | null {
  const given = new Set(execArgv.map(getName));
  const missing = heapFlags.filter((flag) => !given.has(getName(flag)));
  return missing.length === 0 ? null : [...missing, ...execArgv, ...argv.slice(1)];
}

/**
 * Starts the program again in the same process, with the flags. Does not return, unless nothing has to change or the platform
 * cannot replace a process. A process that talks to its parent keeps its channel, which a replacement would close.
 */
export function restartWithHeapFlags(): void {
  const wanted = addHeapFlags(process.execArgv, process.argv);
  if (wanted === null || process.channel !== undefined || process.platform === "win32") return;
  process.execve?.(process.execPath, [process.execPath, ...wanted], process.env);
}
