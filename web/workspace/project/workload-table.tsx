import { currentLocale, t } from "../../languages/index.ts";
import { formatMinutes } from "../../moments.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { tip } from "../../parts/tip.tsx";
import type { Workload } from "./project-figures.ts";

const formatWeek = (date: string): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(`${date}T00:00:00Z`),
  );

const levelOf = (percent: number): string =>
  percent > 100 ? "over" : percent > 80 ? "high" : percent > 40 ? "middle" : percent > 0 ? "low" : "none";

/** Percent of the time that people have, week by week; over 100 is red and bold. */
export function WorkloadTable({ workload }: { workload: Workload | undefined }) {
  if (workload === undefined) return <SkeletonRows rows={3} />;
  return (
    <section className="workload" aria-label={t("projects.workload")}>
      <table>
        <caption>
          <b>{t("projects.workload")}</b> <span className="quiet">{t("projects.percent")}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("projects.person")}</th>
            {workload.weeks.map((week) => (
              <th key={week} scope="col" className="numbers">
                {formatWeek(week)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workload.people.map(({ person, weeks }) => (
            <tr key={person.id}>
              <th scope="row">
                <Avatar person={person} silent /> <span className="truncate">{person.name}</span>
              </th>
              {weeks.map(({ planned, other, available }, at) => {
                const work = planned + other;
                const percent = available === 0 ? (work > 0 ? 999 : 0) : Math.round((100 * work) / available);
                const words = t("projects.load", {
                  planned: formatMinutes(planned),
                  other: formatMinutes(other),
                  available: formatMinutes(available),
                });
                return (
                  <td key={workload.weeks[at]} className="numbers">
                    <span data-level={levelOf(percent)} {...tip(words)}>
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
