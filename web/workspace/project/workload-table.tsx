import { formatMinutes, readerZone } from "../../base/moments.ts";
import { tip } from "../../elements/tip.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { day, fromWall, type TimeAxis } from "../../parts/gantt/time-axis.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import type { Workload } from "./project-figures.ts";

const formatWeek = (date: string): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(`${date}T00:00:00Z`),
  );

const pickLevel = (percent: number): string =>
  percent > 100 ? "over" : percent > 80 ? "high" : percent > 40 ? "middle" : percent > 0 ? "low" : "none";

/** The positions of the week starts on the time axis. */
function placeWeeks({ weeks }: Workload, axis: TimeAxis): number[] {
  const zone = readerZone();
  const begins = weeks.map((week) => fromWall(Date.parse(`${week}T00:00:00Z`), zone)).filter((at) => at < axis.until);
  const last = begins.at(-1);
  const ends = last === undefined ? [] : [Math.min(last + 7 * day, axis.until)];
  return [...begins, ...ends].map((at) => Math.max(0, axis.place(at)));
}

/** Percent of people's available time, below the weeks of the plan; over 100 is red and bold. */
export function WorkloadTable({ workload, axis }: { workload: Workload | undefined; axis: TimeAxis }) {
  if (workload === undefined) return <SkeletonRows rows={3} />;
  const places = placeWeeks(workload, axis);
  const weeks = workload.weeks.slice(0, Math.max(0, places.length - 1));
  const widthOf = (week: number) => (places[week + 1] ?? 0) - (places[week] ?? 0);
  return (
    <section className="workload" aria-label={t("projects.workload")}>
      <table style={{ width: `calc(var(--gantt-names) + ${places.at(-1) ?? 0}px)` }}>
        <caption>
          <span className="workload-title">
            <b>{t("projects.workload")}</b> <span className="quiet">{t("projects.percent")}</span>
          </span>
        </caption>
        <colgroup>
          <col className="workload-names" />
          <col style={{ width: places[0] ?? 0 }} />
          {weeks.map((week, at) => (
            <col key={week} style={{ width: widthOf(at) }} />
          ))}
        </colgroup>
        <thead className="spoken">
          <tr>
            <th scope="col">{t("projects.person")}</th>
            <td />
            {weeks.map((week) => (
              <th key={week} scope="col">
                {formatWeek(week)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workload.people.map(({ person, weeks: loads }) => (
            <tr key={person.id}>
              <th scope="row">
                <Avatar person={person} silent /> <span className="truncate">{person.name}</span>
              </th>
              <td />
              {loads.slice(0, weeks.length).map(({ planned, other, available }, at) => {
                const work = planned + other;
                const percent = available === 0 ? (work > 0 ? 999 : 0) : Math.round((100 * work) / available);
                const words = t("projects.load", {
                  planned: formatMinutes(planned),
                  other: formatMinutes(other),
                  available: formatMinutes(available),
                });
                return (
                  <td key={workload.weeks[at]} className="numbers">
                    <span data-level={pickLevel(percent)} {...tip(words)}>
                      {available === 0 ? (work > 0 ? t("projects.away") : "–") : percent === 0 ? "" : percent}
                      <span className="spoken">{words}</span>
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {workload.people.length === 0 && <p className="quiet">{t("projects.nobody")}</p>}
    </section>
  );
}
