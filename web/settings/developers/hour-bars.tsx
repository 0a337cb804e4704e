export type HourCount = { hour: string; good: number; bad: number };

/** Bars for the last hours, the failed part in red. The adjacent figures show the same as text. */
export function HourBars({
  counts,
  hours,
  tone,
}: {
  counts: readonly HourCount[];
  hours: number;
  tone: "green" | "blue";
}) {
  // A bar covers as many hours as needed to be wide enough.
  const each = hours > 72 ? 3 : 1;
  const now = Math.floor(Date.now() / 3_600_000);
  const bars = Array.from({ length: hours / each }, () => ({ good: 0, bad: 0 }));
  for (const { hour, good, bad } of counts) {
    const bar = bars[bars.length - 1 - Math.floor((now - Math.floor(Date.parse(hour) / 3_600_000)) / each)];
    if (bar === undefined) continue;
    bar.good += good;
    bar.bad += bad;
  }
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  return (
    <div className="hour-bars" data-tone={tone} aria-hidden="true">
      {bars.map(({ good, bad }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
        <span key={index} className="hour-bar" style={{ height: `${((good + bad) / most) * 100}%` }}>
          {bad > 0 && <span className="hour-bar-bad" style={{ height: `${(bad / (good + bad)) * 100}%` }} />}
        </span>
      ))}
    </div>
  );
}
