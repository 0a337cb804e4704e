import { setImmediate as allHaveSpoken } from "node:timers/promises";
import type { Row, Statement, Transaction, Value } from "./database.ts";

// Several pieces of work in one transaction at the same time. Each goes on until it needs an answer; when all of them
// wait, what they ask for is sent at once, and the same statement of several pieces as one where it says how. The
// statements of each piece keep their order. It is up to the caller that no piece depends on what another one writes.

type Call = {
  statement: Statement;
  values: readonly Value[];
  answer(rows: Row[]): void;
  fail(error: unknown): void;
};

/** The transaction as one piece of work sees it. */
class Lane implements Transaction {
  readonly database: Transaction["database"];
  readonly afterCommit: Transaction["afterCommit"];
  private readonly spoke: () => void;
  waiting: Call[] = [];
  hasWritten = false;

  constructor(tx: Transaction, spoke: () => void) {
    this.database = tx.database;
    this.afterCommit = tx.afterCommit;
    this.spoke = spoke;
  }

  query(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    const answered = new Promise<Row[]>((answer, fail) => {
      this.waiting.push({ statement, values, answer, fail });
    });
    this.spoke();
    return answered;
  }
  send(statement: Statement, values: readonly Value[] = []): void {
    this.query(statement, values).catch(() => {});
  }
  part(): Promise<never> {
    return Promise.reject(new Error("a part has no parts"));
  }
}

/**
 * What became of each piece. One that fails before it wrote anything fails alone; any other failure is that of all, and
 * the part of the transaction has to be undone.
 */
export async function sideBySide<T>(
  tx: Transaction,
  pieces: readonly ((tx: Transaction) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  let running = pieces.length;
  let stirred = () => {};
  const stir = () => stirred();
  const lanes = pieces.map(() => new Lane(tx, stir));
  const fatal: unknown[] = [];
  const outcomes = pieces.map(async (piece, index): Promise<PromiseSettledResult<T>> => {
    const lane = lanes[index] as Lane;
    try {
      return { status: "fulfilled", value: await piece(lane) };
    } catch (reason) {
      if (lane.hasWritten) fatal.push(reason);
      lane.waiting = [];
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
    const groups = groupsOf(lanes);
    if (groups.length > 0) await Promise.all(groups.map((group) => ask(tx, group)));
    else if (running === 0) return Promise.all(outcomes);
    else await next;
  }
}

/** What is to be sent, in an order that keeps that of every lane. */
function groupsOf(lanes: readonly Lane[]): Call[][] {
  const groups: Call[][] = [];
  const at = lanes.map(() => 0);
  const head = (index: number) => (lanes[index] as Lane).waiting[at[index] as number];
  for (let first = 0; first < lanes.length; ) {
    const { text } = head(first)?.statement ?? {};
    if (text === undefined) {
      first++;
      continue;
    }
    const group: Call[] = [];
    for (let index = first; index < lanes.length; index++) {
      const call = head(index);
      if (call?.statement.text !== text) continue;
      group.push(call);
      at[index] = (at[index] as number) + 1;
      if (!isQuestion(text)) (lanes[index] as Lane).hasWritten = true;
    }
    groups.push(group);
  }
  for (const lane of lanes) lane.waiting = [];
  return groups;
}

const isQuestion = (text: string): boolean => text.startsWith("SELECT");

/** Calls of the same statement: together, once for the same question, or each for itself. */
async function ask(tx: Transaction, calls: readonly Call[]): Promise<void> {
  const { statement } = calls[0] as Call;
  const { together } = statement;
  if (calls.length === 1 || (together === undefined && !isQuestion(statement.text))) {
    await Promise.all(calls.map((call) => answered(tx.query(statement, call.values), [call], (rows) => rows)));
    return;
  }
  const alike = new Map<string, Call[]>();
  for (const call of calls) {
    const word = together === undefined ? JSON.stringify(call.values) : together.alike(call.values);
    const others = alike.get(word);
    if (others === undefined) alike.set(word, [call]);
    else others.push(call);
  }
  const sent = [...alike.values()].map((some) => {
    if (together === undefined || some.length === 1)
      return answered(tx.query(statement, (some[0] as Call).values), some, (rows) => rows);
    const values = together.values(some.map((call) => call.values));
    return answered(tx.query(together.statement, values), some, together.rows);
  });
  await Promise.all(sent);
}

async function answered(
  asked: Promise<Row[]>,
  calls: readonly Call[],
  rowsOf: (all: readonly Row[], call: number) => readonly Row[],
): Promise<void> {
  try {
    const all = await asked;
    calls.forEach((call, index) => void call.answer(rowsOf(all, index) as Row[]));
  } catch (error) {
    for (const call of calls) call.fail(error);
    throw error;
  }
}
