import type { Reference } from "../../queries/reference.ts";

export type AuditLine = {
  id: number;
  action: string;
  audited: string;
  created_by: Reference | null;
  user: Reference | null;
  changes: Record<string, [before: unknown, after: unknown]> | null;
  created_at: string;
};
