import type { ToneName } from "../../base/tokens.ts";
import { negativeStatuses } from "../../queries/status-order.ts";

// The shape and color of a status. Yellow and orange are reserved for urgency, so status never uses them.

export type StatusShape = "dashed" | "ring" | "quarter" | "half" | "pause" | "clock" | "tick" | "cross" | "bar";
export type StatusLook = { shape: StatusShape; tone: ToneName };

// biome-ignore format: a table keeps its columns
const looks: readonly [look: StatusLook, values: readonly string[]][] = [
  [{ shape: "dashed",  tone: "grey" },   ["registered", "on_backlog", "being_created", "being_prepared", "planned", "queued", "new", "anticipated", "scheduled_for_activation", "unpublished", "in_cart", "open", "ordered", "being_built", "available"]],
  [{ shape: "ring",    tone: "blue" },   ["assigned", "requested"]],
  [{ shape: "quarter", tone: "blue" },   ["accepted", "proposed", "analyzed", "change_requested"]],
  [{ shape: "half",    tone: "blue" },   ["in_progress", "risk_and_impact", "approval", "implementation", "materialized", "work_in_progress", "in_transit", "being_tested", "being_repaired", "reserved"]],
  [{ shape: "pause",   tone: "violet" }, ["waiting_for", "waiting_for_customer", "progress_halted", "temporarily_unavailable", "standby_for_continuity"]],
  [{ shape: "clock",   tone: "violet" }, ["pending", "not_validated", "awaiting_approval"]],
  [{ shape: "tick",    tone: "green" },  ["completed", "approved", "solved", "active", "closed", "validated", "confirmed", "ended", "delivered", "read", "resolved", "in_production", "installed"]],
  [{ shape: "cross",   tone: "red" },    [...negativeStatuses, "broken_down", "lost_or_stolen"]],
  [{ shape: "bar",     tone: "grey" },   ["canceled", "withdrawn", "expired", "discontinued", "archived", "disabled", "removed", "to_be_removed", "undergoing_maintenance"]],
];

const byValue = new Map(looks.flatMap(([look, values]) => values.map((value): [string, StatusLook] => [value, look])));

export function statusLook(status: string): StatusLook {
  if (status.endsWith("_pending")) return { shape: "clock", tone: "violet" };
  return byValue.get(status) ?? { shape: "ring", tone: "grey" };
}
