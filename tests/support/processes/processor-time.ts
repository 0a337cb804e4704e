/** Measures this process's processor time in milliseconds. The process serves the calls of its tests, and others don't count. */
export async function measureProcessorTime(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}
