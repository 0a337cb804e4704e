import type { Row } from "../../api/index.ts";
import type { ToneName } from "../../base/tokens.ts";
import type { Reference } from "../../queries/reference.ts";

export type Article = Row & {
  subject: string;
  description: string;
  instructions: string;
  /** null: there is none, or the person may not read it */
  staff_instructions: string | null;
  status: string;
  locale: string;
  service: Reference | null;
  template: Reference | null;
  keywords: string | null;
  review_date: string | null;
  archive_date: string | null;
  times_applied: number;
  times_viewed: number;
  created_by: Reference | null;
  updated_by: Reference | null;
  updated_at: string;
  attachments?: readonly { key: string; uri: string }[];
};
export type ArticleTranslation = {
  id: number;
  locale: string;
  subject: string;
  description: string;
  instructions: string;
  updated_at: string;
};

export const audiences = ["end_users", "key_contacts", "covered_specialists", "internal_specialists"] as const;
export type Audience = (typeof audiences)[number];

// biome-ignore format: a table keeps its columns
export const statusTones: Readonly<Record<string, ToneName>> = {
  work_in_progress: "blue", not_validated: "violet", validated: "green", archived: "grey",
};

/** Whole days from today until a date; negative: it has passed. */
export const daysUntil = (date: string, now: number): number =>
  Math.round((Date.parse(`${date}T00:00:00Z`) - Math.floor(now / 86_400_000) * 86_400_000) / 86_400_000);
