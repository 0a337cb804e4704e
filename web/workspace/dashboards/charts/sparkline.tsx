const [width, height, inset] = [64, 24, 2];

/** A line without axes, beside a figure that explains it. */
export function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone: string }) {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  if (known.length < 2) return null;
  const numbers = known.map(({ value }) => value);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (at: number) => inset + (at / (values.length - 1)) * (width - 2 * inset);
  const y = (value: number) =>
    most === least ? height / 2 : height - inset - ((value - least) / (most - least)) * (height - 2 * inset);
  return (
    <svg
      className="chart-spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-tone={tone}
    >
      <polyline points={known.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
    </svg>
  );
}
