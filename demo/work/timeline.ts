import { changeBacklogItem } from "../../server/actions/boards/change-backlog-item.ts";
import { statement } from "../../server/database/database.ts";
import type { Account } from "../../server/engine/caller.ts";
import { create } from "../../server/engine/create.ts";
import { link, linkByName } from "../../server/engine/links.ts";
import { update } from "../../server/engine/update.ts";
import type { AddedJob } from "../../server/queue/jobs.ts";
import { type DemoLoader, type LoadStep, runInLanes, withErrorContext } from "../loader/demo-loader.ts";
import { isRunByDemo, runPastJob } from "../loader/past-jobs.ts";

// Runs planned steps in the order of time, each as the person who takes it and at its moment. Steps in the future are not
// run: a request whose answer comes tomorrow is still waiting.

export type Fields = Readonly<Record<string, unknown>>;
/** The person who acts, when, and in which account. */
export type Actor = { who: string; at: Date; account: string };
type Step = LoadStep & { at: Date; order: number };

export const minute = 60_000;
export const addMinutes = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * minute);

export class Timeline {
  readonly loader: DemoLoader;
  readonly now: Date;
  private readonly end: Date;
  private readonly steps: Step[] = [];
  private plannedCount = 0;

  /** `end`: what was planned for later is not run */
  constructor(loader: DemoLoader, end: Date = loader.now) {
    this.loader = loader;
    this.now = loader.now;
    this.end = end;
    loader.onJob = (job) => this.planJob(job);
  }

  /** As the running service does it: nothing of the past is left for it to catch up with. */
  private planJob(job: AddedJob): void {
    if (!isRunByDemo(job)) return;
    const at = new Date(job.runAt.getTime() + 1000);
    this.plan(at, `job "${job.kind}"`, () => runPastJob(this.loader, job, at));
  }

  /** Plans a step; one after the end is dropped. A step without a lane runs alone. */
  plan(at: Date, description: string, run: () => Promise<void>, lane: string | null = null): void {
    if (at > this.end) return;
    const context = `${description}, ${at.toISOString()},`;
    const step = { at, order: this.plannedCount++, lane, run: () => withErrorContext(context, run()) };
    let [low, high] = [0, this.steps.length]; // sorted descending: the next step is the last one
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.steps[middle] as Step;
      if (other.at > at || (other.at.getTime() === at.getTime() && other.order > step.order)) low = middle + 1;
      else high = middle;
    }
    this.steps.splice(low, 0, step);
  }

  run = (progress: (at: Date) => void): Promise<void> => runInLanes(this.steps, ({ at }) => progress(at));

  /** `parent`: the id of the record above it, by the name of the field that refers to it */
  async create(actor: Actor, type: string, fields: Fields, parent?: Record<string, number>): Promise<number> {
    const { who, at, account } = actor;
    const by = await this.loader.getCaller(who, account, at);
    const fixed = parent === undefined ? undefined : { fixed: parent, account };
    const body = { members: fields, strict: true, skipResponse: true };
    const { id } = await create(this.loader.engineAt(at), by, this.loader.engine.types.get(type), body, fixed);
    return id;
  }

  async update({ who, at, account }: Actor, type: string, id: number, fields: Fields): Promise<void> {
    const by = await this.loader.getCaller(who, account, at);
    const body = { members: fields, strict: true, skipResponse: true };
    await update(this.loader.engineAt(at), by, this.loader.engine.types.get(type), id, body);
  }

  async link({ who, at, account }: Actor, type: string, id: number, name: string, other: number): Promise<void> {
    const by = await this.loader.getCaller(who, account, at);
    await link(this.loader.engineAt(at), by, this.loader.engine.types.get(type), id, name, other);
  }

  async addTag({ who, at, account }: Actor, request: number, tag: string): Promise<void> {
    const by = await this.loader.getCaller(who, account, at);
    const type = this.loader.engine.types.get("request");
    await linkByName(this.loader.engineAt(at), by, type, request, "tags", { members: { name: tag } });
  }

  /** The estimate of a request on its backlog. */
  async estimate({ who, at, account }: Actor, request: number, estimate: number): Promise<void> {
    const by = await this.loader.getCaller(who, account, at);
    const select = statement("SELECT id, product_backlog_id FROM product_backlog_items WHERE request_id = $1");
    const [row] = await this.loader.tx.query(select, [request]);
    const place = { backlog: Number(row?.[1]), item: Number(row?.[0]), account };
    await changeBacklogItem(this.loader.engineAt(at), by, place, { estimate });
  }

  /** Current values of columns of a record. */
  async readColumns(table: string, columns: string, id: number): Promise<readonly (string | null)[]> {
    const [row] = await this.loader.tx.query(statement(`SELECT ${columns} FROM ${table} WHERE id = $1`), [id]);
    return row ?? [];
  }

  getId = (type: string, name: string): number => this.loader.getLocation(type, name).id;
  account = (id: string): Account => this.loader.account(id);
}

/** The same moment, or the next one within working hours. */
export function nextWorkingMoment(moment: Date): Date {
  const at = new Date(moment);
  if (at.getUTCHours() >= 18) at.setUTCHours(30, at.getUTCMinutes());
  else if (at.getUTCHours() < 6) at.setUTCHours(6, at.getUTCMinutes());
  while (isWeekend(at)) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}

export const isWeekend = (day: Date): boolean => [0, 6].includes(day.getUTCDay());
