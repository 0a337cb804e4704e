export type HourCount = { hour: string; good: number; bad: number };

/** One bar per hour, the bad part in red. The figures beside it say the same in words. */
export function HourBars({
  counts,
  hours,
  tone,
}: {
  counts: readonly HourCount[];
  hours: number;
  tone: "green" | "blue";
}) {
  const byHour = new Map(counts.map((each) => [Math.floor(Date.parse(each.hour) / 3_600_000), each]));
  const now = Math.floor(Date.now() / 3_600_000);
  const bars = Array.from({ length: hours }, (_, index) => byHour.get(now - hours + 1 + index) ?? null);
  const most = Math.max(1, ...bars.map((bar) => (bar === null ? 0 : bar.good + bar.bad)));
  const width = 100 / hours;
  return (
    <svg className="hour-bars" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, index) => {
        if (bar === null) return null;
        const good = (bar.good / most) * 32;
        const bad = bar.bad === 0 ? 0 : Math.max(2, (bar.bad / most) * 32);
        const x = index * width + width * 0.12;
        return (
          <g key={bar.hour}>
            <rect x={x} y={32 - good - bad} width={width * 0.76} height={good} fill={`var(--${tone}-solid)`} />
            <rect x={x} y={32 - bad} width={width * 0.76} height={bad} fill="var(--red-solid)" />
          </g>
        );
      })}
    </svg>
  );
}
