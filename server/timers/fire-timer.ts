import { applyChange, prepareChange } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { findSharedRecordAccount } from "../engine/overlays.ts";
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
    const by = await loadServiceCaller(tx, account, now);
    // The timer of a participant has its account; the record belongs to another one.
    const owner = participant === undefined ? account : await findSharedRecordAccount({ engine, tx, by, type }, id);
    if (owner === null) return;
    const before =
      participant === undefined
        ? await lockActiveValues(engine, tx, type, id, account)
        : await lockOverlayValues(engine, tx, type, { id, account: owner }, participant);
    if (before === null) return;
    const zone = await loadZone(tx, account, null);
    const due = (getTimeMoves(type).get(field) ?? []).filter((row) => {
      const moment = computeMoment(row, before, zone);
      return appliesInState(row, before[state]) && moment !== null && moment <= now;
    });
    if (due.length === 0) return;
    const row = { id, account: owner, before };
    const change = prepareChange({ engine, tx, by, type }, row, {}, { participant: participant ?? null });
    await fireTransitions(type, change, engine.rules, (row) => due.includes(row as (typeof due)[number]));
    await applyChange(change);
  });
}
