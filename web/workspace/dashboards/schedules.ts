import { useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { paths } from "../../paths.ts";
import type { Dashboard } from "./tile.ts";

// Reports that are sent by e-mail: those that the reader made, and those that they receive.

export const frequencies = ["daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

type Named = { id: number; name: string };
export type ReportSchedule = {
  id: number;
  report: string;
  /** the name that somebody gave to a dashboard */
  title: string | null;
  frequency: Frequency;
  team: Named | null;
  person: Named;
  recipients: readonly Named[];
  next_at: string;
};

const path = "/report_schedules";

export function useSchedules() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = [account.id, "report schedules"];
  const { data } = useQuery({ queryKey, queryFn: () => api.get<readonly ReportSchedule[]>(path) });
  const renew = () => queries.invalidateQueries({ queryKey });
  return {
    schedules: data ?? [],
    async create(body: { report: string; frequency: Frequency; team_id: number | null; recipient_ids: number[] }) {
      await api.create(path, body);
      await renew();
    },
    async end(id: number) {
      await api.remove(`${path}/${id}`);
      await renew();
    },
  };
}

const titles: Readonly<Record<string, Readonly<Record<string, Dashboard>>>> = { dashboards, reports };

/** What a schedule sends: its title and its page. */
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
