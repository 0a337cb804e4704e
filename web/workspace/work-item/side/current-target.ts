import type { Row } from "../../../api/index.ts";
import {
  getResolutionTarget,
  judgeRequest,
  judgeTarget,
  type TargetOutcome,
} from "../../../parts/work/target-outcome.ts";
import type { ExplainedTargets } from "../../../queries/record-page.ts";
import type { PageParts } from "../page-parts.ts";

type ShownTarget = {
  /** a moment, or a word for the reason why there is none */
  target: string | null;
  outcome: TargetOutcome | null;
};

/** The next target. A finished record shows the one that it had to meet, because its next one is empty. */
export function pickShownTarget(row: Row, parts: PageParts, slas: readonly ExplainedTargets[]): ShownTarget {
  const next =
    parts.targets.map((name) => row[name]).find((value): value is string => typeof value === "string") ?? null;
  if (!parts.hasClocks) return { target: next, outcome: judgeTarget(row, next) };
  const outcome = judgeRequest(row, slas);
  return { target: outcome === null ? next : getResolutionTarget(row), outcome };
}
