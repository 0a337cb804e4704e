import { expect, test } from "vitest";
import { unnamedStatement } from "../../database/database.ts";
import type { Row, Statement, Value } from "../../postgres/connection.ts";
import { markTable } from "./account-tables.ts";
import { PartitionChoice } from "./partition-choice.ts";

const marked = unnamedStatement(
  `SELECT 1 FROM ${markTable("requests", "$2")} a JOIN ${markTable("people", "$2")} p ON true JOIN ${markTable("tasks", "$3")} t ON true
JOIN ${markTable("tasks", "a.account_id")} u ON true JOIN requests r ON true WHERE a.id = $1`,
);
const rename = (text: string, original: Statement): Statement => ({ ...original, text });

/** A database whose accounts "one" and "two" are in partitions 1 and 2; `answers` come when they are awaited. */
function divided(tables: readonly string[]) {
  const asked: (readonly Value[])[] = [];
  const read = async (_: Statement, values: readonly Value[]): Promise<Row[]> => {
    asked.push(values);
    if (values.length === 0) return tables.map((name) => [name, "16"]);
    return [[values[0] === "one" ? "1" : "2"]];
  };
  return { asked, choice: new PartitionChoice(read) };
}
const answers = () => new Promise(setImmediate);

test("the account's partition replaces marked tables, once it is known", async () => {
  const { asked, choice } = divided(["requests", "tasks"]);
  const values = [7, "one", "two"];
  expect(choice.pick(marked, values, rename)).toBe(marked);
  await answers();
  expect(choice.isDivided).toBe(true);
  expect(choice.pick(marked, values, rename)).toBe(marked);
  await answers();
  const picked = choice.pick(marked, values, rename);
  // Tables that are not divided, marks that are no parameters and tables without a mark stay as they are.
  expect(picked.text).toBe(
    `SELECT 1 FROM requests_p01 a JOIN people /*of $2*/ p ON true JOIN tasks_p02 t ON true
JOIN tasks /*of a.account_id*/ u ON true JOIN requests r ON true WHERE a.id = $1`,
  );
  expect(choice.pick(marked, values, rename)).toBe(picked);
  expect(choice.pick(marked, [7, "one", "one"], rename).text).toContain("JOIN tasks_p01 t");
  expect(choice.pick(marked, [7, "one", ["one", "two"]], rename)).toBe(marked);
  expect(asked).toHaveLength(3);
});

test("without partitions, statements don't change and no look-up is repeated", async () => {
  const { asked, choice } = divided([]);
  for (let call = 0; call < 3; call++) {
    expect(choice.pick(marked, [7, "one", "two"], rename)).toBe(marked);
    await answers();
  }
  expect(choice.isDivided).toBe(false);
  expect(asked).toHaveLength(1);
});
