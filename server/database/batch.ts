import { setImmediate as allHaveSpoken } from "node:timers/promises";
import { type Batch, type Row, type Statement, statement, type Transaction, type Value } from "./database.ts";

// Runs several pieces of work concurrently in one transaction. Each piece runs until it needs a result; when all of
// them wait, their statements are sent together, and calls of the same statement are merged where it declares how. The
// order of statements within a piece is kept. The caller ensures that no piece depends on what another one writes.

type PendingCall = {
  statement: Statement;
  values: readonly Value[];
  answer(rows: Row[]): void;
  fail(error: unknown): void;
};

/** The transaction as seen by one piece of work. */
class BatchedTransaction implements Transaction {
  readonly database: Transaction["database"];
  readonly suppressMail?: true;
  readonly beforeCommit: Transaction["beforeCommit"];
  readonly afterCommit: Transaction["afterCommit"];
  private readonly onCall: () => void;
  pending: PendingCall[] = [];
  hasWritten = false;

  constructor(tx: Transaction, spoke: () => void) {
    this.database = tx.database;
    if (tx.suppressMail) this.suppressMail = true;
    this.beforeCommit = tx.beforeCommit;
    this.afterCommit = tx.afterCommit;
    this.onCall = spoke;
  }

  query(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    const answered = new Promise<Row[]>((answer, fail) => {
      this.pending.push({ statement, values, answer, fail });
    });
    this.onCall();
    return answered;
  }
  send(statement: Statement, values: readonly Value[] = []): void {
    this.query(statement, values).catch(() => {});
  }
  /** The statements of the pieces are sent together anyway. */
  readAhead(): void {}
  savepoint(): Promise<never> {
    return Promise.reject(new Error("a part has no parts"));
  }
}

/**
 * Settles each piece. A piece that fails before it wrote anything fails alone; any other failure fails all of them, and
 * the caller must roll the savepoint back.
 */
export async function runBatched<T>(
  tx: Transaction,
  pieces: readonly ((tx: Transaction) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  let running = pieces.length;
  let stirred: (() => void) | null = null;
  const stir = () => {
    stirred?.();
    stirred = null;
  };
  const lanes = pieces.map(() => new BatchedTransaction(tx, stir));
  const fatal: unknown[] = [];
  const outcomes = pieces.map(async (piece, index): Promise<PromiseSettledResult<T>> => {
    const lane = lanes[index] as BatchedTransaction;
    try {
      return { status: "fulfilled", value: await piece(lane) };
    } catch (reason) {
      if (lane.hasWritten) fatal.push(reason);
      lane.pending = [];
      return { status: "rejected", reason };
    } finally {
      running--;
      stir();
    }
  });
  for (;;) {
    const next = new Promise<void>((go) => {
      stirred = go;
    });
    await allHaveSpoken();
    if (fatal.length > 0) throw fatal[0];
    const groups = groupCalls(lanes);
    if (groups.length > 0) await Promise.all(groups.map((group) => sendGroup(tx, group)));
    else if (running === 0) return Promise.all(outcomes);
    else await next;
  }
}

/** The statements to send, in an order that keeps the order of every piece. */
function groupCalls(lanes: readonly BatchedTransaction[]): PendingCall[][] {
  const groups: PendingCall[][] = [];
  const at = lanes.map(() => 0);
  const head = (index: number) => (lanes[index] as BatchedTransaction).pending[at[index] as number];
  for (let first = 0; first < lanes.length; ) {
    const { text } = head(first)?.statement ?? {};
    if (text === undefined) {
      first++;
      continue;
    }
    const group: PendingCall[] = [];
    for (let index = first; index < lanes.length; index++) {
      const call = head(index);
      if (call?.statement.text !== text) continue;
      group.push(call);
      at[index] = (at[index] as number) + 1;
      // The next value of a sequence is no change: a row that is refused after taking its id fails alone.
      if (!text.startsWith("SELECT")) (lanes[index] as BatchedTransaction).hasWritten = true;
    }
    groups.push(group);
  }
  for (const lane of lanes) lane.pending = [];
  return groups;
}

const isRead = (text: string): boolean => text.startsWith("SELECT") && !text.includes("nextval(");

/** Groups calls of one statement: equal calls are sent once, mergeable ones as one call. */
async function sendGroup(tx: Transaction, calls: readonly PendingCall[]): Promise<void> {
  const { statement } = calls[0] as PendingCall;
  const { batch: together } = statement;
  const askers = isRead(statement.text)
    ? [...Map.groupBy(calls, ({ values }) => JSON.stringify(values)).values()]
    : calls.map((call) => [call]);
  const alike =
    together === undefined || askers.length === 1
      ? askers.map((one) => [one])
      : [...Map.groupBy(askers, ([call]) => together.groupKey((call as PendingCall).values)).values()];
  await Promise.all(alike.map((some) => sendBatch(tx, statement, some)));
}

/** `askers`: the calls that get each of the merged answers. */
async function sendBatch(
  tx: Transaction,
  statement: Statement,
  askers: readonly (readonly PendingCall[])[],
): Promise<void> {
  const calls = askers.map(([call]) => (call as PendingCall).values);
  const { batch: together } = statement;
  try {
    const shares =
      together === undefined || calls.length === 1
        ? [await tx.query(statement, calls[0])]
        : together.distribute(await tx.query(together.statement, together.mergeValues(calls)), calls);
    askers.forEach((some, index) => {
      for (const call of some) call.answer((shares[index] ?? []) as Row[]);
    });
  } catch (error) {
    for (const call of askers.flat()) call.fail(error);
    throw error;
  }
}

/**
 * Merges calls that differ only in these parameters (by number) into one call. The other parameters must be equal in
 * all merged calls.
 */
export function buildReadBatch(text: string, types: Readonly<Record<number, string>>): Batch {
  const varying = Object.keys(types).map(Number);
  const differs = (at: number) => types[at + 1] !== undefined;
  const asked = text.replace(/\$(\d+)/g, (word, number: string) => (number in types ? `k.p${number}` : word));
  const lists = varying.map((number) => `$${number}::${types[number]}[]`).join(", ");
  const names = varying.map((number) => `p${number}`).join(", ");
  return {
    statement: statement(
      `SELECT k.nr, x.* FROM unnest(${lists}) WITH ORDINALITY AS k (${names}, nr), LATERAL (${asked}) x ORDER BY k.nr`,
    ),
    groupKey: (values) => JSON.stringify(values.filter((_, at) => !differs(at))),
    mergeValues: (calls) =>
      (calls[0] as Value[]).map((value, at) => (differs(at) ? calls.map((call) => call[at] as string | null) : value)),
    distribute(all, calls) {
      const shares: Row[][] = calls.map(() => []);
      for (const [nr, ...row] of all) shares[Number(nr) - 1]?.push(row);
      return shares;
    },
  };
}

/** The same for a statement that is built once. */
export const batchedRead = (text: string, types: Readonly<Record<number, string>>): Statement => ({
  ...statement(text),
  batch: buildReadBatch(text, types),
});
