import { type LaneKind, laneOf } from "./card-filter.ts";
import type { Board, Card } from "./picture.ts";

/** What a card becomes in another lane: as it is shown, as it is sent, and what puts it back. */
export type LaneChange = {
  shown: Partial<Card>;
  sent: Readonly<Record<string, unknown>>;
  undone: Readonly<Record<string, unknown>>;
};

/** Null: the lane changes nothing. Whom a task of a project is assigned to, and what a card is about, no lane says. */
export function findLaneChange(board: Board, card: Card, kind: LaneKind, lane: string): LaneChange | null {
  if (laneOf(card, kind).key === lane) return null;
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
