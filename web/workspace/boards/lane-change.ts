import { type LaneKind, pickLane } from "./card-filter.ts";
import type { Board, Card } from "./picture.ts";

/** The change of a card that moves to another lane: for display, for the API, and its reversal. */
export type LaneChange = {
  shown: Partial<Card>;
  sent: Readonly<Record<string, unknown>>;
  undone: Readonly<Record<string, unknown>>;
};

/** Null: the lane changes nothing. No lane can set the assignee of a project task or the subject of a card. */
export function findLaneChange(board: Board, card: Card, kind: LaneKind, lane: string): LaneChange | null {
  if (pickLane(card, kind).key === lane) return null;
  if (kind === "member" && card.type !== "project_task") {
    const member =
      board.columns.flatMap(({ items }) => items).find((each) => String(each.member?.id) === lane)?.member ?? null;
    if (member === null && lane !== "none") return null;
    return {
      shown: { member },
      sent: { member_id: member?.id ?? null },
      undone: { member_id: card.member?.id ?? null },
    };
  }
  const hasImpact = card.type === "request" || card.type === "problem";
  if (kind === "impact" && hasImpact && lane !== "none")
    return { shown: { impact: lane }, sent: { impact: lane }, undone: { impact: card.impact } };
  return null;
}
