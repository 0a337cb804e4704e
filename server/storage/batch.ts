import { setImmediate as allHaveSpoken } from "node:timers/promises";
import { type Batch, type Row, type Statement, statement, type Transaction, type Value } from "./database.ts";

// Several pieces of work in one transaction at the same time. Each goes on until it needs an answer; when all of them
// wait, what they ask for is sent at once, and the same statement of several pieces as one where it says how. The
// statements of each piece keep their order. It is up to the caller that no piece depends on what another one writes.

type PendingCall = {
  statement: Statement;
  values: readonly Value[];
  answer(rows: Row[]): void;
  fail(error: unknown): void;
};

/** The transaction as one piece of work sees it. */
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
  savepoint(): Promise<never> {
    return Promise.reject(new Error("a part has no parts"));
  }
}

/**
 * What became of each piece. One that fails before it wrote anything fails alone; any other failure is that of all, and
 * the part of the transaction has to be undone.
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

/** What is to be sent, in an order that keeps that of every lane. */
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
      if (!isRead(text)) (lanes[index] as BatchedTransaction).hasWritten = true;
    }
    groups.push(group);
  }
  for (const lane of lanes) lane.pending = [];
  return groups;
}

const isRead = (text: string): boolean => text.startsWith("SELECT") && !text.includes("nextval(");

/** Calls of the same statement: the same question once, and as one what can be told together. */
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

/** `askers`: those who want the same answer, for each of several answers that one statement gives. */
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
 * A question whose calls differ in these parameters, by number, as one question for all of them. The others are the same
 * in all that are asked together.
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

/** The same, for a statement that is built once. */
export const batchedRead = (text: string, types: Readonly<Record<number, string>>): Statement => ({
  ...statement(text),
  batch: buildReadBatch(text, types),
});
