/** Milliseconds of processor time of this process, which serves the requests of its tests: other processes do not count. */
export async function measureProcessorTime(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}
