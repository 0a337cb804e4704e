import type { TargetOutcome } from "./target-outcome.ts";

// Which of its looks the chip of a target has.

export type SlaLook = "calm" | "soon" | "urgent" | "overdue" | "stopped" | "later" | "none" | TargetOutcome;

const minute = 60_000;

/** `target` is a moment or a word of the API that says why there is none. */
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
