import { commitChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { fireTransitions } from "../engine/state-machine.ts";
import { lockActiveValues, lockOverlayValues } from "../engine/write/lock.ts";
import { appliesInState, computeMoment, getTimeMoves, loadZone, type TimerPayload } from "./plan-timers.ts";

/** Fires due transitions. A record that left the state, or whose moment moved, stays as it is. */
export async function fireTimer(engine: Engine, timer: TimerPayload): Promise<void> {
  const { type: name, id, account, side: participant, field } = timer;
  const type = engine.types.get(name);
  if (type.states === null) return;
  const state = type.states.field;
  await engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const overlay = participant === undefined ? null : await lockOverlayValues(engine, tx, type, id, participant);
    const before =
      participant === undefined ? await lockActiveValues(engine, tx, type, id, account) : (overlay?.values ?? null);
    if (before === null) return;
    const zone = await loadZone(tx, account, null);
    const due = (getTimeMoves(type).get(field) ?? []).filter((row) => {
      const moment = computeMoment(row, before, zone);
      return appliesInState(row, before[state]) && moment !== null && moment <= now;
    });
    if (due.length === 0) return;
    const by = await loadServiceCaller(tx, account, now);
    const row = { id, account: overlay?.account ?? account, before };
    const change = prepareChange({ engine, tx, by, type }, row, {}, { participant: participant ?? null });
    await fireTransitions(type, change, engine.rules, (row) => due.includes(row as (typeof due)[number]));
    await commitChange(change);
  });
}
