import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { reportSchedule } from "../../../records/answers/report-schedules.ts";
import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { t } from "../../languages/index.ts";
import { dashboardQueries } from "../../queries/dashboards.ts";
import type { Dashboard } from "./tile.ts";

// Reports sent by email: those that the reader created, and those that they receive.

export const frequencies = ["daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

export type ReportSchedule = AnswerOf<typeof reportSchedule>;

export function useSchedules() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const options = dashboardQueries.schedules(api);
  const { data } = useQuery(options);
  const renew = () => queries.invalidateQueries({ queryKey: options.queryKey });
  return {
    schedules: data ?? [],
    async create(body: { report: string; frequency: Frequency; team_id: number | null; recipient_ids: number[] }) {
      await api.call("POST /report_schedules", {}, body);
      await renew();
    },
    async end(id: number) {
      await api.call("DELETE /report_schedules/:id", { id });
      await renew();
    },
  };
}

const titles: Readonly<Record<string, Readonly<Record<string, Dashboard>>>> = { dashboards, reports };

/** The title and the page of a schedule's report. */
export function describeReport(
  account: string,
  { report, title }: Pick<ReportSchedule, "report" | "title">,
): { title: string; path: string } {
  const [folder = "", key = ""] = report.split("/");
  const found = titles[folder]?.[key];
  return {
    title: title ?? (found === undefined ? report : t(found.title)),
    path: folder === "reports" ? paths.report(account, key) : paths.dashboard(account, key),
  };
}
