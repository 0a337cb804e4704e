import type { TargetOutcome } from "./target-outcome.ts";

// The look of a target's chip.

export type SlaLook = "calm" | "soon" | "urgent" | "overdue" | "stopped" | "later" | "none" | TargetOutcome;

const minute = 60_000;

/** `target` is a moment, or the API's word for the reason why there is none. */
export function slaLook(target: string | null, now: number, isLaterDay: (at: number) => boolean): SlaLook {
  if (target === "clock_stopped") return "stopped";
  const at = target === null ? Number.NaN : Date.parse(target);
  if (Number.isNaN(at)) return "none";
  const left = at - now;
  if (left < 0) return "overdue";
  if (left < 20 * minute) return "urgent";
  if (left < 60 * minute) return "soon";
  return isLaterDay(at) ? "later" : "calm";
}
