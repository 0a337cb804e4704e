import type { Account } from "../../server/engine/caller.ts";
import { create } from "../../server/engine/create.ts";
import { update } from "../../server/engine/update.ts";
import { statement } from "../../server/storage/database.ts";
import { type DemoLoader, type LoadStep, runInLanes, withErrorContext } from "../loader/demo-loader.ts";

// Work happens in the order of time, each step by the person who took it and at the moment it was taken. What lies ahead
// is not done: a request whose answer comes tomorrow waits for it today.

export type Fields = Readonly<Record<string, unknown>>;
type Step = LoadStep & { at: Date; order: number };

export const minute = 60_000;
export const addMinutes = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * minute);

export class Timeline {
  readonly loader: DemoLoader;
  readonly now: Date;
  private readonly steps: Step[] = [];
  private planned = 0;

  constructor(loading: DemoLoader) {
    this.loader = loading;
    this.now = loading.now;
  }

  /**
   * A step that is taken when its moment comes, unless that is in the future. Without a lane nothing else is done while it
   * is taken.
   */
  plan(at: Date, what: string, run: () => Promise<void>, lane: string | null = null): void {
    if (at > this.now) return;
    const name = `${what}, ${at.toISOString()},`;
    const step = { at, order: this.planned++, lane, run: () => withErrorContext(name, run()) };
    let [low, high] = [0, this.steps.length]; // latest first: the next step is the last one
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.steps[middle] as Step;
      if (other.at > at || (other.at.getTime() === at.getTime() && other.order > step.order)) low = middle + 1;
      else high = middle;
    }
    this.steps.splice(low, 0, step);
  }

  run = (progress: (at: Date) => void): Promise<void> => runInLanes(this.steps, ({ at }) => progress(at));

  /** `below`: the record it is made under, by the field that names that one. */
  async create(
    who: string,
    at: Date,
    getAccount: string,
    type: string,
    fields: Fields,
    below?: Record<string, number>,
  ): Promise<number> {
    const by = await this.loader.getCaller(who, getAccount, at);
    const fixed = below === undefined ? undefined : { fixed: below, account: getAccount };
    const body = { members: fields, strict: true, skipResponse: true };
    const { id } = await create(this.loader.engineAt(at), by, this.loader.engine.types.get(type), body, fixed);
    return id;
  }

  async update(who: string, at: Date, account: string, type: string, id: number, fields: Fields): Promise<void> {
    const by = await this.loader.getCaller(who, account, at);
    const body = { members: fields, strict: true, skipResponse: true };
    await update(this.loader.engineAt(at), by, this.loader.engine.types.get(type), id, body);
  }

  /** Columns of a record, as they are now. */
  async readColumns(table: string, columns: string, id: number): Promise<readonly (string | null)[]> {
    const [row] = await this.loader.tx.query(statement(`SELECT ${columns} FROM ${table} WHERE id = $1`), [id]);
    return row ?? [];
  }

  getId = (type: string, name: string): number => this.loader.getLocation(type, name).id;
  account = (id: string): Account => this.loader.account(id);
}

/** The next moment in which somebody sits at a desk. */
export function nextWorkingMoment(moment: Date): Date {
  const at = new Date(moment);
  if (at.getUTCHours() >= 18) at.setUTCHours(30, at.getUTCMinutes());
  else if (at.getUTCHours() < 6) at.setUTCHours(6, at.getUTCMinutes());
  while (isWeekend(at)) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}

export const isWeekend = (day: Date): boolean => [0, 6].includes(day.getUTCDay());
