import { keepSampleRanges } from "../../server/actions/sample-work/sample-work.ts";
import { statement } from "../../server/database/database.ts";
import { planWork } from "../work/plan.ts";
import { planRequestLog } from "../work/request-log.ts";
import { Timeline } from "../work/timeline.ts";
import { planWarehouseWebhooks } from "../work/warehouse-webhooks.ts";
import type { DemoLoader } from "./demo-loader.ts";

const analyze = statement("ANALYZE");
const day = 86_400_000;

export type WorkOptions = {
  say?: (line: string) => void;
  /** how much of the three months has been loaded, from 0 to 1 */
  progress?: (share: number) => void;
  /** what was planned for later is left out */
  workUntil?: Date | undefined;
  abortSignal?: AbortSignal;
};

/** Lets the people of the demo company do the work of three months, in the transaction of the loader. */
export async function loadWork(
  loader: DemoLoader,
  { say = () => {}, progress = () => {}, workUntil, abortSignal }: WorkOptions,
): Promise<void> {
  const { tx } = loader;
  const before = await loadLastIds(loader);
  await loader.reloadCallers();
  const time = new Timeline(loader, workUntil);
  planWork(time);
  const histories = [planWarehouseWebhooks(time), planRequestLog(time)];
  const reportMonth = reportMonths(time.now, say);
  let steps = 0;
  await time.run((at) => {
    abortSignal?.throwIfAborted();
    reportMonth(at);
    progress(Math.max(0, 1 - (time.now.getTime() - at.getTime()) / (90 * day)));
    // Query plans from the time of empty tables use sequential scans.
    if ([100, 500, 2500].includes(++steps)) tx.send(analyze);
  });
  for (const writeHistory of histories) await writeHistory();
  const after = await loadLastIds(loader);
  keepSampleRanges(
    (...fact) => tx.send(...fact),
    sampleTypes.map((type, at) => [type, before[at] ?? 0, after[at] ?? 0, time.now.toISOString()]),
  );
}

/** The work that an administrator can remove, in the order in which it goes: time entries and order lines refer to the others. */
const sampleTypes = ["time_entry", "shop_order_line", "request", "problem", "workflow", "project"];

async function loadLastIds({ engine, tx }: DemoLoader): Promise<number[]> {
  const tables = sampleTypes.map((type) => engine.types.get(type).ownTable);
  const [row = []] = await tx.query(
    statement(`SELECT ${tables.map((table) => `(SELECT coalesce(max(id), 0) FROM ${table})`).join(", ")}`),
  );
  return row.map(Number);
}

/** Reports progress with one line per month. */
function reportMonths(now: Date, say: (line: string) => void): (at: Date) => void {
  let reported = 4;
  return (at) => {
    const monthsAgo = Math.ceil((now.getTime() - at.getTime()) / (30 * day));
    if (monthsAgo >= reported) return;
    reported = monthsAgo;
    if (reported > 0)
      say(`  loading work from ${["last month", "two months ago", "three months ago"][reported - 1]} ...`);
  };
}
