import { commitChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { fireTransitions } from "../engine/state-machine.ts";
import { lockActiveValues, lockOverlayValues } from "../engine/write/lock.ts";
import { appliesInState, computeMoment, getTimeMoves, loadZone, type TimerPayload } from "./plan-timers.ts";

/** The moment has come. A record that left the state meanwhile, or whose moment moved, is left alone. */
export async function fireTimer(engine: Engine, { type: name, id, account, side, field }: TimerPayload): Promise<void> {
  const type = engine.types.get(name);
  if (type.states === null) return;
  const state = type.states.field;
  await engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const there = side === undefined ? null : await lockOverlayValues(engine, tx, type, id, side);
    const before = side === undefined ? await lockActiveValues(engine, tx, type, id, account) : (there?.values ?? null);
    if (before === null) return;
    const zone = await loadZone(tx, account, null);
    const due = (getTimeMoves(type).get(field) ?? []).filter((row) => {
      const moment = computeMoment(row, before, zone);
      return appliesInState(row, before[state]) && moment !== null && moment <= now;
    });
    if (due.length === 0) return;
    const by = await loadServiceCaller(tx, account, now);
    const row = { id, account: there?.account ?? account, before };
    const change = prepareChange({ engine, tx, by, type }, row, {}, { participant: side ?? null });
    await fireTransitions(type, change, engine.rules, (row) => due.includes(row as (typeof due)[number]));
    await commitChange(change);
  });
}
