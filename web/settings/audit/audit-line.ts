import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import type { Reference } from "../../queries/reference.ts";

export type AuditLine = {
  id: number;
  action: string;
  audited: string;
  created_by: Reference | null;
  user: Reference | null;
  /** absent in lines of before it was stored */
  origin: ChangeOrigin | null;
  changes: Record<string, [before: unknown, after: unknown]> | null;
  created_at: string;
};
