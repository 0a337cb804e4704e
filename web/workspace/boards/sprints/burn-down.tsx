import { currentLocale, t } from "../../../languages/index.ts";
import { useSize } from "../../../parts/viewport/use-size.ts";
import type { BurnDownDay, Sprint } from "../picture.ts";

// The points left at the end of each day, with the ideal line of even progress.

const formatDay = (date: string): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(`${date}T00:00:00Z`),
  );

type Scale = { x(index: number): number; y(points: number): number };
const highest = (days: readonly BurnDownDay[]): number =>
  Math.max(1, ...days.map(({ remaining, ideal }) => Math.max(remaining ?? 0, ideal)));
const buildScale = (
  days: readonly BurnDownDay[],
  box: { left: number; top: number; width: number; height: number },
): Scale => ({
  x: (index) => box.left + (days.length < 2 ? 0 : (box.width * index) / (days.length - 1)),
  y: (points) => box.top + box.height * (1 - points / highest(days)),
});
const round = (value: number): number => Math.round(value * 10) / 10;
const toLine = (points: readonly [number, number][]): string =>
  points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
const actualPoints = (days: readonly BurnDownDay[], { x, y }: Scale): [number, number][] =>
  days.flatMap(({ remaining }, index): [number, number][] => (remaining === null ? [] : [[x(index), y(remaining)]]));

export const describeBurnDown = (sprint: Sprint): string =>
  t("boards.burnDownWords", { left: sprint.points - sprint.done, count: sprint.points });

/** The small chart, beside text with the same information. */
export function Sparkline({ sprint }: { sprint: Sprint }) {
  const { days } = sprint;
  if (days.length < 2) return null;
  const scale = buildScale(days, { left: 2, top: 3, width: 136, height: 34 });
  const actual = actualPoints(days, scale);
  const last = actual.at(-1);
  return (
    <svg
      className="sparkline"
      width="142"
      height="40"
      viewBox="0 0 142 40"
      role="img"
      aria-label={describeBurnDown(sprint)}
    >
      {last !== undefined && <path className="burn-ideal" d={toLine([last, [scale.x(days.length - 1), scale.y(0)]])} />}
      <path className="burn-line" d={toLine(actual)} />
      {last !== undefined && <circle className="burn-dot" cx={last[0]} cy={last[1]} r="3" />}
    </svg>
  );
}

/** The width of a day's label, including the space around it. */
const widthOfDay = 64; // pixels

/** The chart with its table. */
export function BurnDown({ sprint }: { sprint: Sprint }) {
  const { days } = sprint;
  // Rendered at its actual width: scaling would shrink its labels on a phone.
  const [frame, seen] = useSize<HTMLElement>();
  if (days.length === 0) return <p className="quiet">{t("boards.noBurnDown")}</p>;
  const [width, height] = [Math.max(seen, 240), 220];
  const scale = buildScale(days, { left: 34, top: 10, width: width - 46, height: height - 40 });
  const top = highest(days);
  const actual = actualPoints(days, scale);
  const last = actual.at(-1);
  const every = Math.ceil((days.length * widthOfDay) / (width - 46));
  return (
    <figure className="chart" ref={frame}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describeBurnDown(sprint)}>
        {[0, Math.round(top / 2), top].map((points) => (
          <g key={points}>
            <path
              className="burn-grid"
              d={toLine([
                [34, scale.y(points)],
                [width - 12, scale.y(points)],
              ])}
            />
            <text className="burn-text" x="26" y={scale.y(points) + 4} textAnchor="end">
              {points}
            </text>
          </g>
        ))}
        {days.map(({ date }, index) =>
          index % every === 0 ? (
            <text
              key={date}
              className="burn-text"
              x={scale.x(index)}
              y={height - 10}
              textAnchor={index > 0 && index === days.length - 1 ? "end" : "middle"}
            >
              {formatDay(date)}
            </text>
          ) : null,
        )}
        <path className="burn-ideal" d={toLine(days.map(({ ideal }, index) => [scale.x(index), scale.y(ideal)]))} />
        <path className="burn-line" d={toLine(actual)} />
        {last !== undefined && <circle className="burn-dot" cx={last[0]} cy={last[1]} r="4" />}
      </svg>
      <figcaption>
        <details>
          <summary>{t("boards.asTable")}</summary>
          <table className="figures-table">
            <caption className="spoken">{t("boards.burnDown")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("boards.day")}</th>
                <th scope="col">{t("boards.left.points")}</th>
                <th scope="col">{t("boards.ideal")}</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ date, remaining, ideal }) => (
                <tr key={date}>
                  <th scope="row">{formatDay(date)}</th>
                  <td className="numbers">{remaining ?? "–"}</td>
                  <td className="numbers">{ideal}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  );
}
