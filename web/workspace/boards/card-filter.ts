import type { Card } from "./picture.ts";

// Filters cards by words, person, kind and tag. The filter is part of the address, so that a link shows the same cards.

export type CardFilter = { q: string; member: string; kind: string; tag: string };
export const noFilter: CardFilter = { q: "", member: "", kind: "", tag: "" };

export const readFilter = (search: Readonly<Record<string, string | undefined>>): CardFilter => ({
  q: search.q ?? "",
  member: search.member ?? "",
  kind: search.kind ?? "",
  tag: search.tag ?? "",
});

export const countFilters = (filter: CardFilter): number =>
  Object.values(filter).filter((value) => value !== "").length;

export function matches(card: Card, { q, member, kind, tag }: CardFilter): boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${card.id} ${card.subject} ${card.tags.join(" ")} ${card.member?.name ?? ""}`.toLowerCase();
  return (
    words.every((word) => text.includes(word)) &&
    (member === "" || (member === "none" ? card.member === null : String(card.member?.id) === member)) &&
    (kind === "" || card.type === kind) &&
    (tag === "" || card.tags.includes(tag))
  );
}

export const laneKinds = ["none", "member", "impact", "service"] as const;
export type LaneKind = (typeof laneKinds)[number];
export const readLanes = (text: string | undefined): LaneKind => laneKinds.find((each) => each === text) ?? "none";

/** The lane of a card: a key and its name; null: the card has no value. */
export function pickLane(card: Card, kind: LaneKind): { key: string; name: string | null } {
  if (kind === "impact") return { key: card.impact ?? "none", name: card.impact };
  if (kind === "none") return { key: "all", name: null };
  const value = card[kind];
  return { key: String(value?.id ?? "none"), name: value?.name ?? null };
}
