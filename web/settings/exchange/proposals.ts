import { enumerations } from "../../../records/enumerations/index.ts";
import { timeZones } from "../../../records/enumerations/time-zones.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { choiceLabel } from "../../languages/labels.ts";

/** A proposed correction of a wrong cell: the value to write, and its label. */
export type Proposal = { cell: string; label: string };

const normalize = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** The edit distance between two texts. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let here = 1; here <= from.length; here++) {
    const next = [here];
    for (let there = 1; there <= to.length; there++) {
      const kept = (row[there - 1] ?? 0) + (from[here - 1] === to[there - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[there] ?? 0) + 1, (next[there - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Null: the texts have too little in common. Lower is closer. */
function compare(typed: string, known: string): number | null {
  if (known === typed) return 0;
  if (typed.length >= 3 && known.startsWith(typed)) return 1;
  const most = Math.max(1, Math.floor(typed.length / 3));
  if (Math.abs(typed.length - known.length) > most) return null;
  const changes = countChanges(typed, known);
  return changes <= most ? changes + 1 : null;
}

function listChoices(field: Field): Proposal[] {
  if (field.kind === "timeZone") return Object.keys(timeZones).map((name) => ({ cell: name, label: name }));
  if (field.kind !== "enum") return [];
  const { enumeration, values } = field;
  const known: Readonly<Record<string, readonly string[]>> = enumerations;
  const all = values ?? known[enumeration] ?? [];
  return all.map((value) => ({ cell: value, label: choiceLabel(enumeration, value) }));
}

/** The field's choice that is closest to a wrong cell; null: there is none, or the field has no choices. */
export function findProposal(field: Field | undefined, cell: string): Proposal | null {
  const typed = normalize(cell).slice(0, 80);
  if (field === undefined || typed === "") return null;
  let best: { proposal: Proposal; distance: number } | null = null;
  for (const proposal of listChoices(field))
    for (const known of [proposal.cell, proposal.label]) {
      const distance = compare(typed, normalize(known));
      if (distance !== null && (best === null || distance < best.distance)) best = { proposal, distance };
    }
  return best?.proposal ?? null;
}
