import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { ianaZone } from "../../fields/time/iana-zone.ts";
import type { GanttMark } from "../../parts/gantt/item.ts";
import { fromWall } from "../../parts/gantt/time-axis.ts";
import { projectQueries } from "../../queries/work/projects.ts";
import { getReference, readText } from "../work-item/page-parts.ts";

type Period = { key: string; start: number; end: number; labels: string[] };

/** The holidays in the project's work hours, in its zone; consecutive days form one period. */
export function useClosedPeriods(project: Row): readonly GanttMark[] {
  const { api } = useCurrentAccount();
  const calendar = getReference(project, "work_hours")?.id;
  const zone = readText(project, "time_zone");
  const { data } = useQuery(projectQueries.holidays(api, calendar));
  return useMemo(() => {
    const toMoment = (text: string) => fromWall(Date.parse(`${text.slice(0, 19)}Z`), ianaZone(zone));
    const days = (data ?? [])
      .map((row) => ({
        key: String(row.id),
        label: String(row.name),
        start: toMoment(String(row.start_at)),
        end: toMoment(String(row.end_at)),
      }))
      .sort((one, other) => one.start - other.start);
    const periods: Period[] = [];
    for (const { key, label, start, end } of days) {
      const before = periods.at(-1);
      if (before !== undefined && start <= before.end) {
        before.end = Math.max(before.end, end);
        if (!before.labels.includes(label)) before.labels.push(label);
      } else periods.push({ key, start, end, labels: [label] });
    }
    return periods.map(({ key, start, end, labels }) => ({
      ...{ key, start, end, kind: "closed" as const },
      label: labels.join(", "),
    }));
  }, [data, zone]);
}
