type Row = Readonly<Record<string, unknown>>;

// Whether a finished record met its target.

/** "over": the record was canceled, or had no target */
export type TargetOutcome = "met" | "missed" | "over";

const finishFields = ["completed_at", "solved_at", "finished_at"];

/** Null while the record is open. */
export function judgeTarget(row: Row, target: string | null): TargetOutcome | null {
  const finishedAt = finishFields.map((name) => row[name]).find((value) => typeof value === "string");
  if (finishedAt === undefined) return null;
  const at = Date.parse(target ?? "");
  if (row.status === "canceled" || Number.isNaN(at)) return "over";
  return Date.parse(finishedAt) <= at ? "met" : "missed";
}

type JudgedSla = { accountability: string; resolution: { met: boolean | null } };

/**
 * The time by which the request had to be solved: a later date requested by the requester replaces the target of the
 * agreement.
 */
export function getResolutionTarget({ resolution_target_at, desired_completion_at }: Row): string | null {
  const moments = [resolution_target_at, desired_completion_at].filter((value) => typeof value === "string");
  return moments.toSorted((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null;
}

/** For a request, the server's result for each affected SLA decides; until that is loaded, the request's fields. */
export function judgeRequest(row: Row, slas: readonly JudgedSla[]): TargetOutcome | null {
  const outcome = judgeTarget(row, getResolutionTarget(row));
  const verdicts = slas
    .filter(({ accountability }) => accountability !== "sla_not_affected")
    .flatMap(({ resolution: { met } }) => met ?? []);
  if (outcome === null || verdicts.length === 0) return outcome;
  return verdicts.includes(false) ? "missed" : "met";
}
