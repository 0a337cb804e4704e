import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { privacyJob, retentionPeriod, storedData } from "../../records/answers/privacy.ts";
import type { Query } from "./call.ts";
import { recordsApi } from "./records.ts";

// Personal data, and an account's retention periods.

export type StoredData = AnswerOf<typeof storedData>;
export type PrivacyJob = AnswerOf<typeof privacyJob>;
export type RetentionPeriod = AnswerOf<typeof retentionPeriod>;

export const privacyApi = (account: string) => {
  const rest = recordsApi(account);
  return {
    storedData: (person: number) => rest.call("GET /people/:id/stored_data", { id: person }),
    exportData: (person: number) => rest.call("POST /people/:id/data_exports", { id: person }),
    anonymize: (person: number, name: string) => rest.call("POST /people/:id/anonymizations", { id: person }, { name }),
    jobs: (query: Query) => rest.list<PrivacyJob>("/privacy_jobs", query),
    periods: () => rest.call("GET /retention_periods", {}),
    preview: (subject: string, days: number) => rest.call("GET /retention_periods/:subject/preview", { subject, days }),
    setPeriod: (subject: string, days: number | null) =>
      rest.call("PUT /retention_periods/:subject", { subject }, { days }),
  };
};
