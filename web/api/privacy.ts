import type { Query } from "./call.ts";
import { readJson } from "./call.ts";
import { recordsApi } from "./records.ts";
import { callRest } from "./rest.ts";

// The data of people, and how long an account keeps what.

export type StoredData = { name: string; anonymous_name: string; parts: { name: string; count: number }[] };
export type PrivacyJob = {
  token: string;
  kind: "export" | "anonymise";
  state: "queued" | "processing" | "done" | "failed";
  total: number;
  done: number;
  subject: { id: number; name: string } | null;
  person: { id: number; name: string } | null;
  url?: string;
  created_at: string;
  finished_at: string | null;
};
export type RetentionPeriod = {
  subject: string;
  days: number | null;
  last_run_at: string | null;
  last_deleted: number;
};

export const privacyApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    storedData: (person: number) => rest.get<StoredData>(`/people/${person}/stored_data`),
    exportData: (person: number) => rest.ask<{ token: string }>(`/people/${person}/data_exports`, {}),
    anonymize: (person: number, name: string) =>
      rest.ask<{ token: string }>(`/people/${person}/anonymizations`, { name }),
    jobs: (query: Query) => rest.list<PrivacyJob>("/privacy_jobs", query),
    periods: () => rest.get<RetentionPeriod[]>("/retention_periods"),
    preview: (subject: string, days: number) =>
      rest.get<{ count: number }>(`/retention_periods/${subject}/preview`, { days: String(days) }),
    setPeriod: (subject: string, days: number | null) =>
      readJson<RetentionPeriod[]>(
        callRest(account, { method: "PUT", path: `/retention_periods/${subject}`, body: { days } }),
      ),
  };
};
