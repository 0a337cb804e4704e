import type { Value } from "./kinds/kind.ts";
import type { ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";

/** A change as it is told: to the audit trail, to the events, to whoever listens. */
export type ChangeEvent = {
  type: Type;
  id: number;
  /** where it happened */
  account: string;
  /** the same, when it is about values that account has of a record of another one */
  participant?: string | null;
  action: "create" | "update" | "destroy";
  changes: Record<string, readonly [Value, Value]>;
  before: Values | null;
  after: Values | null;
  events: readonly string[];
  /** events that are no change of a field: they come first and name no audit line */
  extraEventNames?: readonly string[];
  /** the same with all that is known about them; of a new record too */
  extraEvents?: readonly ExtraEvent[];
  /** an import that asked for it: nobody outside hears of the change, and no rule runs because of it */
  suppressEvents?: true;
  /** values that follow from other records all the time; `before` and `after` hold those alone */
  isDerivedUpdate?: true;
  /** what messages tell beside the record's own values */
  facts?: Readonly<Record<string, unknown>>;
};
