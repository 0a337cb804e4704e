// What the server says of a board, and where a card comes to stand when it is moved.

export type Named = { id: number; name: string };

export type Card = {
  type: string;
  id: number;
  position: number;
  column: number | null;
  subject: string;
  category: string;
  status: string;
  impact: string | null;
  urgent: boolean;
  target: string | null;
  kind_of_target: string | null;
  waiting_until: string | null;
  checklist: { done: number; total: number } | null;
  tags: readonly string[];
  team: Named | null;
  member: Named | null;
  service: Named | null;
  estimate: number | null;
  sprint_item: number | null;
  sprint: number | null;
  backlog_item: number | null;
  revision: number;
};

export type Column = {
  id: number;
  name: string;
  position: number;
  action_type: string;
  team: Named | null;
  member: Named | null;
  clear_member: boolean;
  dialog_type: string;
  remove_after: number | null;
  wip_limit: number | null;
  deleted: boolean;
  items: readonly Card[];
};

export type SprintItem = {
  id: number;
  estimate: number | null;
  planned: boolean;
  done: boolean | null;
  type: string;
  record: number;
  subject: string | null;
};
export type BurnDownDay = { date: string; remaining: number | null; ideal: number };
export type Sprint = {
  id: number;
  number: number;
  name: string | null;
  status: "registered" | "active" | "completed";
  start_at: string | null;
  end_at: string | null;
  goal: string | null;
  points: number;
  done: number;
  items: readonly SprintItem[];
  days: readonly BurnDownDay[];
};
export type Workspace = Named & {
  board: Named;
  backlog: Named & { count: number };
  team: Named;
  sprint_length: number;
};

export type Board = Named & {
  disabled: boolean;
  manager: Named | null;
  request_template: Named | null;
  service_instance: Named | null;
  workspace: Workspace | null;
  sprint: Sprint | null;
  next_sprint: Pick<Sprint, "id" | "number" | "name"> | null;
  columns: readonly Column[];
};

/** A card has the name of its type: numbers of different types may be the same. */
export const cardKey = ({ type, id }: Pick<Card, "type" | "id">): string => `${type}/${id}`;

export const findCard = (board: Board, key: string | null): Card | undefined =>
  board.columns.flatMap(({ items }) => items).find((card) => cardKey(card) === key);

/** Positions of the others in a list once the card has left it. */
const withoutCard = (items: readonly Card[], card: Card): Card[] => {
  const own = items.find((each) => cardKey(each) === cardKey(card));
  return items
    .filter((each) => each !== own)
    .map((each) =>
      own !== undefined && each.position > own.position ? { ...each, position: each.position - 1 } : each,
    );
};

/**
 * The position before one of the cards that are seen, or behind the last of them. Cards that a filter hides keep their
 * order. Null: nothing is seen there, so the card goes to the bottom.
 */
export function pickPosition(items: readonly Card[], card: Card, seen: readonly Card[], index: number): number | null {
  const others = withoutCard(items, card);
  const positionOf = (wanted: Card | undefined) =>
    wanted === undefined ? undefined : others.find((each) => cardKey(each) === cardKey(wanted))?.position;
  const rest = seen.filter((each) => cardKey(each) !== cardKey(card));
  const [next, previous] = [positionOf(rest[index]), positionOf(rest[index - 1])];
  return next ?? (previous === undefined ? null : previous + 1);
}

/** The list with the card at a position; null: at the bottom. */
export function insertCard(items: readonly Card[], card: Card, position: number | null): Card[] {
  const others = withoutCard(items, card);
  const bottom = (others.at(-1)?.position ?? 0) + 1;
  const place = Math.min(Math.max(position ?? bottom, 1), bottom);
  const moved = others.map((each) => (each.position >= place ? { ...each, position: each.position + 1 } : each));
  return [...moved, { ...card, position: place }].sort((one, other) => one.position - other.position);
}

export function placeCard(board: Board, card: Card, column: number, position: number | null): Board {
  return {
    ...board,
    columns: board.columns.map((each) => {
      if (each.id === column) return { ...each, items: insertCard(each.items, { ...card, column }, position) };
      return each.items.some((item) => cardKey(item) === cardKey(card))
        ? { ...each, items: withoutCard(each.items, card) }
        : each;
    }),
  };
}

export const removeCard = (board: Board, card: Card): Board => ({
  ...board,
  columns: board.columns.map((each) => ({ ...each, items: withoutCard(each.items, card) })),
});

export const changeCard = (board: Board, key: string, part: Partial<Card>): Board => ({
  ...board,
  columns: board.columns.map((column) => ({
    ...column,
    items: column.items.map((card) => (cardKey(card) === key ? { ...card, ...part } : card)),
  })),
});

const pauses = new Set([
  "waiting_for",
  "reservation_pending",
  "workflow_pending",
  "project_pending",
  "request_pending",
]);
/** Work that cannot go on for now. */
export const isBlocked = ({ status }: Card): boolean => pauses.has(status) || status === "progress_halted";
