import { Temporal } from "temporal-polyfill";
import type { StateMove, Trigger } from "../../records/vocabulary/index.ts";
import { toIanaZone } from "../base/time-zones.ts";
import type { Caller } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Values } from "../engine/rules.ts";
import type { Type } from "../engine/types.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";
import { statement, type Transaction } from "../storage/database.ts";

// A lifecycle row that waits for a moment becomes a keyed job in the transaction of the change that made it wait. The
// job moves when the moment moves and is dropped when the state is left.

/** `side`: the account waits for a record of another one */
export type TimerPayload = { type: string; id: number; account: string; side?: string; field: string };
type TimeTrigger = Extract<Trigger, { on: "time" }>;
type TimeMove = StateMove & { on: TimeTrigger };

const timeMovesByType = new WeakMap<Type, ReadonlyMap<string, readonly TimeMove[]>>();

/** The rows of a lifecycle that wait for time, by the field they wait for. */
export function getTimeMoves(type: Type): ReadonlyMap<string, readonly TimeMove[]> {
  let found = timeMovesByType.get(type);
  if (found === undefined) {
    const moves = new Map<string, TimeMove[]>();
    for (const move of type.states?.moves ?? [])
      if (move.on.on === "time") moves.set(move.on.field, [...(moves.get(move.on.field) ?? []), move as TimeMove]);
    found = moves;
    timeMovesByType.set(type, found);
  }
  return found;
}

export const appliesInState = (move: StateMove, state: unknown): boolean =>
  move.from === "any" || [move.from].flat().includes(state as string);

const selectZone = statement("SELECT time_zone FROM accounts WHERE id = $1");

/** The moment a row waits for, given the values of its record. */
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

/** Listens to every change. */
export async function planTimers(tx: Transaction, by: Caller | null, told: ChangeEvent): Promise<void> {
  const { type, id, account, participant: side, before, after } = told;
  const moves = getTimeMoves(type);
  if (moves.size === 0 || type.states === null) return;
  const state = type.states.field;
  const zone = await loadZone(tx, account, by);
  for (const [field, rows] of moves) {
    const due: TimerPayload = { type: type.name, id, account, ...(side == null ? {} : { side }), field };
    const earliest = (values: Values | null): number | null => {
      if (values === null) return null;
      const moments = rows
        .filter((row) => appliesInState(row, values[state]))
        .map((row) => computeMoment(row, values, zone)?.getTime() ?? null)
        .filter((moment) => moment !== null);
      return moments.length === 0 ? null : Math.min(...moments);
    };
    const [old, now] = [earliest(before), earliest(after)];
    if (old === now) continue;
    if (now === null) deleteJob(tx, "timer", buildTimerKey(due));
    else addJob(tx, { kind: "timer", key: buildTimerKey(due), account, payload: due, runAt: new Date(now) });
  }
}
