import { expect, test } from "vitest";
import { batchedRead, runBatched } from "./batch.ts";
import { type Row, type Statement, statement, type Transaction, type Value } from "./database.ts";

/** Writes down what is sent; answers each call with its values. */
function listening(answer: (sent: Statement, values: readonly Value[]) => Row[] = (_, values) => [values as Row]) {
  const sent: string[] = [];
  const query = async (asked: Statement, values: readonly Value[] = []) => {
    sent.push(`${asked.text} ${JSON.stringify(values)}`);
    return answer(asked, values);
  };
  const tx = { query, afterCommit() {} } as unknown as Transaction;
  return { sent, tx };
}

const look = statement("SELECT a");
const write = statement("INSERT b");
const other = statement("UPDATE c");

test("equal reads are sent once, and every piece keeps the order of its statements", async () => {
  const { sent, tx } = listening();
  const piece = (own: string) => async (lane: Transaction) => {
    const [row] = await lane.query(look, ["x"]);
    if (own === "2") lane.send(other, [own]);
    lane.send(write, [own]);
    lane.send(other, [own]);
    return row?.[0];
  };
  const outcomes = await runBatched(tx, [piece("1"), piece("2"), piece("3")]);
  expect(outcomes.map((one) => one.status === "fulfilled" && one.value)).toEqual(["x", "x", "x"]);
  expect(sent[0]).toBe('SELECT a ["x"]');
  expect(sent.filter((line) => line.includes('"2"'))).toEqual(['UPDATE c ["2"]', 'INSERT b ["2"]', 'UPDATE c ["2"]']);
  expect(sent.filter((line) => line.startsWith("INSERT"))).toHaveLength(3);
  expect(sent).toHaveLength(8);
});

test("different reads are merged if the statement declares how", async () => {
  const asked = batchedRead("SELECT n FROM t WHERE id = $1 AND account_id = $2", { 1: "integer" });
  const { sent, tx } = listening((_, [ids]) =>
    (ids as number[]).flatMap((id, at): Row[] => (id === 2 ? [] : [[String(at + 1), `n${id}`]])),
  );
  const piece = (id: number) => (lane: Transaction) => lane.query(asked, [id, "a"]);
  const outcomes = await runBatched(tx, [1, 2, 3, 1].map(piece));
  expect(outcomes.map((one) => one.status === "fulfilled" && one.value)).toEqual([[["n1"]], [], [["n3"]], [["n1"]]]);
  expect(sent).toEqual([
    'SELECT k.nr, x.* FROM unnest($1::integer[]) WITH ORDINALITY AS k (p1, nr), LATERAL (SELECT n FROM t WHERE id = k.p1 AND account_id = $2) x ORDER BY k.nr [[1,2,3],"a"]',
  ]);
});

test("a piece that fails before writing fails alone; one that fails later fails the batch", async () => {
  const early = async (lane: Transaction) => {
    lane.send(write, ["never"]);
    throw new Error("early");
  };
  const late = async (lane: Transaction) => {
    await lane.query(write, ["late"]);
    throw new Error("late");
  };
  const good = (lane: Transaction) => lane.query(write, ["good"]);
  const { sent, tx } = listening();
  const outcomes = await runBatched(tx, [good, early]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(sent).toEqual(['INSERT b ["good"]']);
  await expect(runBatched(tx, [good, late])).rejects.toThrow("late");
  const broken = listening(() => {
    throw new Error("the database says no");
  });
  await expect(runBatched(broken.tx, [good, good])).rejects.toThrow("says no");
});
