import { type Row, type Statement, statement } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Exchange } from "./exchange-context.ts";

// The status of an import or export.

/** How long the status is available after the end. */
const statusRetentionSeconds = 300;

type JobRow = Record<"state", string> & { finished_at: string | null };
type JobStatus = { readonly state: string };

/** Statements for a table of jobs; `expressions` replaces columns by SQL expressions. All values are texts. */
export function defineJobTable<const N extends string>(
  table: string,
  names: readonly N[],
  expressions: Partial<Record<N, string>>,
) {
  const selected = names.map((name) => expressions[name] ?? name).join(", ");
  return {
    of: (row: Row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as Record<N, string>,
    byId: statement(`SELECT ${selected} FROM ${table} WHERE id = $1`),
    byToken: statement(`SELECT ${selected} FROM ${table} WHERE token = $1 AND account_id = $2`),
  };
}

/** The loader returns null for a job of another account and for one that ended some time ago. */
export const makeStatusLoader =
  <W extends JobRow, S extends JobStatus>(
    { of, byToken }: { of(row: Row): W; byToken: Statement },
    describe: {
      running(job: W, now: Date): Omit<S, "state">;
      ended(exchange: Exchange, by: Caller, job: W, finished: Date): Omit<S, "state">;
    },
  ) =>
  async (exchange: Exchange, by: Caller, token: string): Promise<S | null> => {
    const { database, clock } = exchange.engine;
    const [row] = await database.read(byToken, [token, by.account], by.zone);
    if (row === undefined) return null;
    const job = of(row);
    const now = clock.now();
    const { state } = job;
    // The states of the table are those of the answer; all its other members are optional.
    const build = (rest: object) => ({ state, ...rest }) as unknown as S;
    if (job.finished_at === null) return build(state === "queued" ? {} : describe.running(job, now));
    const finished = parseTimestamp(job.finished_at);
    if (now.getTime() - finished.getTime() > statusRetentionSeconds * 1000) return null;
    return build(describe.ended(exchange, by, job, finished));
  };

/** Parses PostgreSQL's text format. */
export const parseTimestamp = (text: string): Date => new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
