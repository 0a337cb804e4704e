import type { Value } from "./kinds/kind.ts";
import type { Happening, Values } from "./rules.ts";
import type { Type } from "./types.ts";

/** A change as it is told: to the audit trail, to the events, to whoever listens. */
export type Announcement = {
  type: Type;
  id: number;
  /** where it happened */
  account: string;
  /** the same, when it is about values that account has of a record of another one */
  side?: string | null;
  action: "create" | "update" | "destroy";
  changes: Record<string, readonly [Value, Value]>;
  before: Values | null;
  after: Values | null;
  events: readonly string[];
  /** events that are no change of a field: they come first and name no audit line */
  happenings?: readonly string[];
  /** the same with all that is known about them; of a new record too */
  happened?: readonly Happening[];
  /** no rules wait for it: it has no events */
  silent?: boolean;
  /** what messages tell beside the record's own values */
  facts?: Readonly<Record<string, unknown>>;
};
