import type { Effect, StateMove } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import type { Change, Rules } from "./rules.ts";
import type { Type } from "./types.ts";

// A lifecycle table at work: which rows a save or a happening touches, and what they do.

const startsFrom = (move: StateMove, state: unknown): boolean =>
  move.from === "any" || [move.from].flat().includes(state as string);

/** The initial state of a new record, and the effects of the state it is saved in. */
export async function runStateMachine(type: Type, change: Change, rules: Rules): Promise<void> {
  const table = type.states;
  if (table === null) return;
  const { field } = table;
  if (change.before === null && change.after[field] == null) change.after[field] = table.initial;
  const from = change.before?.[field] ?? null;
  if (from !== null && change.after[field] === null) return change.problem(field, "can't be blank");
  const to = change.after[field];
  if (from === to) return;
  const rows: StateMove[] = [];
  for (const move of table.moves) {
    // A new record comes from the initial state, even when that is where it stays.
    if (move.on.on !== "saved" || !move.on.states.includes(to as string) || !startsFrom(move, from ?? table.initial))
      continue;
    if (await isGuardMet(type, move, change, rules)) rows.push(move);
  }
  if (from !== null && table.unlisted === "refused" && rows.length === 0) change.problem(field, "is not valid");
  for (const row of rows) await performTransition(type, row, change, rules);
}

/** Performs the transitions that match without a save having asked for them: a moment was reached. */
export async function fireTransitions(
  type: Type,
  change: Change,
  rules: Rules,
  matches: (move: StateMove) => boolean,
): Promise<void> {
  const table = type.states;
  if (table === null) return;
  for (const row of table.moves)
    if (matches(row) && startsFrom(row, change.after[table.field]) && (await isGuardMet(type, row, change, rules)))
      await performTransition(type, row, change, rules);
}

/** A row counts only when its condition holds. */
const isGuardMet = async (type: Type, row: StateMove, change: Change, rules: Rules): Promise<boolean> =>
  row.if === undefined || Boolean(await rules.forType(type.name).guards?.[row.if]?.(change));

async function performTransition(type: Type, row: StateMove, change: Change, rules: Rules): Promise<void> {
  for (const effect of row.do ?? []) await applyEffect(type, effect, change, rules);
  if (row.to !== undefined && type.states !== null) change.after[type.states.field] = row.to;
}

async function applyEffect(type: Type, effect: Effect, change: Change, rules: Rules): Promise<void> {
  if (typeof effect === "string") {
    await rules.forType(type.name).effects?.[effect]?.(change);
    return;
  }
  // What the same request sets explicitly is not overwritten by a side effect.
  const put = (field: string, value: Change["after"][string]) => {
    // The state of a record in another account says nothing about what all accounts have in common.
    const concerned = change.participant === null || type.perAccount.includes(field);
    if (concerned && !change.changed.has(field)) change.after[field] = value;
  };
  if ("stamp" in effect) put(effect.stamp, toTimestamp(change.by.now));
  else if ("clear" in effect) put(effect.clear, null);
  else if ("increment" in effect) change.after[effect.increment] = Number(change.after[effect.increment] ?? 0) + 1;
  else put(effect.set, effect.to);
}
