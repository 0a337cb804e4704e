import type { Value } from "./kinds/kind.ts";
import type { ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";

/** A change as it is published: to the audit trail, as events, and to listeners. */
export type ChangeEvent = {
  type: Type;
  id: number;
  /** the account in which it happened */
  account: string;
  /** the same account when the change is one of its overlay; else null */
  participant?: string | null;
  action: "create" | "update" | "destroy";
  changes: Record<string, readonly [Value, Value]>;
  before: Values | null;
  after: Values | null;
  events: readonly string[];
  /** events beside the changed fields: they come first and have no audit line */
  extraEventNames?: readonly string[];
  /** the same with their facts; also for new records */
  extraEvents?: readonly ExtraEvent[];
  /** an import that suppresses events: no webhook message, no email, no automation rule */
  suppressEvents?: true;
  /** values that follow from other records; `before` and `after` hold only those */
  isDerivedUpdate?: true;
  /** facts that messages contain beside the values of the record */
  facts?: Readonly<Record<string, unknown>>;
};
