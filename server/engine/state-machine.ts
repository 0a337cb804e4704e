import type { Effect, StateMove } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import type { Change, Rules } from "./rules.ts";
import type { Type } from "./types.ts";

// Runs the table of states and transitions of a type for a save, a timer or a signal.

const startsFrom = (move: StateMove, state: unknown): boolean =>
  move.from === "any" || [move.from].flat().includes(state as string);

/** Sets the initial state of a new record, and applies the transitions to the state that is saved. */
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
    // A new record counts as coming from the initial state, even when it stays there.
    if (move.on.on !== "saved" || !move.on.states.includes(to as string) || !startsFrom(move, from ?? table.initial))
      continue;
    if (await isGuardMet(type, move, change, rules)) rows.push(move);
  }
  if (from !== null && table.unlisted === "refused" && rows.length === 0) change.problem(field, "is not valid");
  for (const row of rows) await performTransition(type, row, change, rules);
}

/** Applies the transitions of a timer, without a save. */
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
  // An effect does not overwrite a field that the same request sets.
  const put = (field: string, value: Change["after"][string]) => {
    // The state of an overlay changes no field that all accounts share.
    const applies = change.participant === null || type.sharing.perAccount.includes(field);
    if (applies && !change.changed.has(field)) change.after[field] = value;
  };
  if ("stamp" in effect) put(effect.stamp, toTimestamp(change.by.now));
  else if ("clear" in effect) put(effect.clear, null);
  else if ("increment" in effect) change.after[effect.increment] = Number(change.after[effect.increment] ?? 0) + 1;
  else put(effect.set, effect.to);
}
