import { Temporal } from "temporal-polyfill";
import type { StateMove, Trigger } from "../../records/vocabulary/index.ts";
import { toIanaZone } from "../base/time-zones.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Values } from "../engine/rules.ts";
import type { Type } from "../engine/types.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";

// A transition that waits for a moment is a keyed job, added in the transaction of the change. The job moves with the
// moment and is deleted when the record leaves the state.

/** `side`: the participant whose overlay has the moment (the name is part of stored jobs) */
export type TimerPayload = { type: string; id: number; account: string; side?: string; field: string };
type TimeTrigger = Extract<Trigger, { on: "time" }>;
type TimeMove = StateMove & { on: TimeTrigger };

const timeMovesByType = new WeakMap<Type, ReadonlyMap<string, readonly TimeMove[]>>();

/** The transitions of a type that wait for a moment, by the field with the moment. */
export function getTimeMoves(type: Type): ReadonlyMap<string, readonly TimeMove[]> {
  let cached = timeMovesByType.get(type);
  if (cached === undefined) {
    const moves = new Map<string, TimeMove[]>();
    for (const move of type.states?.moves ?? [])
      if (move.on.on === "time") moves.set(move.on.field, [...(moves.get(move.on.field) ?? []), move as TimeMove]);
    cached = moves;
    timeMovesByType.set(type, cached);
  }
  return cached;
}

export const appliesInState = (move: StateMove, state: unknown): boolean =>
  move.from === "any" || [move.from].flat().includes(state as string);

const selectZone = statement("SELECT time_zone FROM accounts WHERE id = $1");

/** The moment that a transition waits for; null: the field is empty. */
export function computeMoment({ on }: TimeMove, values: Values, accountZone: string): Date | null {
  const value = values[on.field];
  if (typeof value !== "string") return null;
  if (on.at === "moment") return new Date(value);
  const zone = toIanaZone((on.zone === undefined ? null : (values[on.zone] as string | null)) ?? accountZone);
  const day = Temporal.PlainDate.from(value).add({ days: on.at === "end of day" ? 1 : 0 });
  return new Date(day.toZonedDateTime(zone).epochMilliseconds);
}

export async function loadZone(tx: Transaction, account: string, by: Caller | null): Promise<string> {
  if (by?.account === account) return by.accountRecord.time_zone;
  return (await tx.query(selectZone, [account]))[0]?.[0] ?? "UTC";
}

const buildTimerKey = ({ type, id, side, field }: TimerPayload): string =>
  `${type} ${id} ${field}${side === undefined ? "" : ` in ${side}`}`;

/** A change listener. */
export async function planTimers(tx: Transaction, by: Caller | null, event: ChangeEvent): Promise<void> {
  const { type, id, account, participant, before, after } = event;
  const moves = getTimeMoves(type);
  if (moves.size === 0 || type.states === null) return;
  const state = type.states.field;
  const zone = await loadZone(tx, account, by);
  for (const [field, rows] of moves) {
    const side = participant == null ? {} : { side: participant };
    const timer: TimerPayload = { type: type.name, id, account, ...side, field };
    const earliest = (values: Values | null): number | null => {
      if (values === null) return null;
      const moments = rows
        .filter((row) => appliesInState(row, values[state]))
        .map((row) => computeMoment(row, values, zone)?.getTime() ?? null)
        .filter((moment) => moment !== null);
      return moments.length === 0 ? null : Math.min(...moments);
    };
    const [previous, current] = [earliest(before), earliest(after)];
    if (previous === current) continue;
    const key = buildTimerKey(timer);
    if (current === null) deleteJob(tx, "timer", key);
    else addJob(tx, { kind: "timer", key, account, payload: timer, runAt: new Date(current) });
  }
}
