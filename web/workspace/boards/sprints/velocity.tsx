import { t } from "../../../languages/index.ts";
import type { Sprint } from "../picture.ts";

const shown = 6;

/** The average points of the last finished sprints; null if there are none. */
export function averagePoints(sprints: readonly Sprint[]): number | null {
  const past = sprints.filter(({ status }) => status === "completed").slice(-shown);
  if (past.length === 0) return null;
  const average = Math.round(past.reduce((total, { done }) => total + done, 0) / past.length);
  return average === 0 ? null : average;
}

/** Points per sprint as bars, the active one paler, with the average as a line; every bar has its number. */
export function Velocity({ sprints }: { sprints: readonly Sprint[] }) {
  const bars = sprints.filter(({ status }) => status !== "registered").slice(-shown);
  const average = averagePoints(sprints);
  if (bars.length === 0) return <p className="quiet">{t("boards.noVelocity")}</p>;
  const top = Math.max(1, average ?? 0, ...bars.map(({ done }) => done));
  const height = 88;
  const y = (points: number) => 14 + (height - 14) * (1 - points / top);
  return (
    <div className="velocity">
      <table>
        <caption className="spoken">{t("boards.velocityWords", { count: average ?? 0 })}</caption>
        <tbody>
          <tr style={{ blockSize: height }}>
            {bars.map(({ id, done, status }) => (
              <td key={id}>
                <span
                  className="velocity-bar numbers"
                  data-active={status === "active" || undefined}
                  style={{ blockSize: Math.max(height - y(done), 18) }}
                >
                  {done}
                </span>
              </td>
            ))}
          </tr>
          <tr>
            {bars.map(({ id, number }) => (
              <th key={id} scope="col" className="numbers">
                <span className="spoken">{t("boards.sprint", { number })}</span>
                <span aria-hidden="true">{number}</span>
              </th>
            ))}
          </tr>
        </tbody>
      </table>
      {average !== null && (
        <span className="velocity-average" aria-hidden="true" style={{ insetBlockStart: y(average) }} />
      )}
    </div>
  );
}
