import type { Caller } from "../engine/caller.ts";
import { type Row, type Statement, statement } from "../storage/database.ts";
import type { Exchange } from "./context.ts";

// How far an import or an export has come: the same story for both.

/** how long after the end its state can be asked for */
const statusRetentionSeconds = 300;

type JobRow = Record<"state", string> & { finished_at: string | null };
type JobStatus = Record<string, unknown>;

/** A row of a table by the names of its columns, all of them texts; some names stand for an expression. */
export function defineJobTable<const N extends string>(
  table: string,
  names: readonly N[],
  meant: Partial<Record<N, string>>,
) {
  const selected = names.map((name) => meant[name] ?? name).join(", ");
  return {
    of: (row: Row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as Record<N, string>,
    byId: statement(`SELECT ${selected} FROM ${table} WHERE id = $1`),
    byToken: statement(`SELECT ${selected} FROM ${table} WHERE token = $1 AND account_id = $2`),
  };
}

/** Answers null when there is no such work in the account of the call, or it ended some time ago. */
export const makeStatusLoader =
  <W extends JobRow>(
    { of, byToken }: { of(row: Row): W; byToken: Statement },
    tell: {
      underWay(work: W, now: Date): JobStatus;
      ended(exchange: Exchange, by: Caller, work: W, finished: Date): JobStatus;
    },
  ) =>
  async (exchange: Exchange, by: Caller, token: string): Promise<JobStatus | null> => {
    const { database, clock } = exchange.engine;
    const [row] = await database.read(byToken, [token, by.account], by.zone);
    if (row === undefined) return null;
    const work = of(row);
    const now = clock.now();
    const { state } = work;
    if (work.finished_at === null) return { state, ...(state === "queued" ? {} : tell.underWay(work, now)) };
    const finished = parseTimestamp(work.finished_at);
    if (now.getTime() - finished.getTime() > statusRetentionSeconds * 1000) return null;
    return { state, ...tell.ended(exchange, by, work, finished) };
  };

/** From PostgreSQL's text. */
export const parseTimestamp = (text: string): Date => new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
