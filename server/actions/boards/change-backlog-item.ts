import { Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { parseIds } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireRecord } from "../../engine/find.ts";
import { updateInTransaction } from "../../engine/update.ts";

// The rank and the estimate of a backlog item. People who may change the request or the problem may rank and estimate it: its
// rank is a field of that record (D-418).

type BacklogItem = { backlog: number; item: number; account: string };

const selectItem = statement(
  "SELECT request_id, problem_id FROM product_backlog_items WHERE id = $1 AND product_backlog_id = $2 AND account_id = $3",
);
/** If the record is planned already, the estimate follows. */
const buildSelectSprintItems = (type: string) =>
  statement(
    `SELECT json_agg(i.id) FROM sprint_backlog_items i JOIN sprints s ON s.id = i.sprint_id
WHERE i.${type}_id = $1 AND i.account_id = $2 AND s.status <> 'completed'`,
  );
const selectSprintItems = { request: buildSelectSprintItems("request"), problem: buildSelectSprintItems("problem") };

const maxEstimate = 10_000;

export async function changeBacklogItem(
  engine: Engine,
  by: Caller,
  { backlog, item, account }: BacklogItem,
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { estimate, position } = parse(members);
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(selectItem, [item, backlog, account]);
    if (row === undefined) throw new NotFound();
    const name = row[0] == null ? "problem" : "request";
    const [type, record] = [engine.types.get(name), Number(row[0] ?? row[1])];
    if (position !== undefined) {
      const body = { members: { product_backlog_position: position }, skipResponse: true };
      await updateInTransaction({ engine, tx, by, type }, record, body);
    } else await requireRecord(engine, by, type, record, "update", tx);
    if (estimate === undefined) return;
    const operation = { engine, tx, by, type: engine.types.get("product_backlog_item") };
    await updateUnchecked(operation, item, { estimate }, { account });
    await estimatePlanned(engine, tx, by, { name, record, account, estimate });
  }, by.zone);
}

async function estimatePlanned(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  {
    name,
    record,
    account,
    estimate,
  }: { name: "request" | "problem"; record: number; account: string; estimate: number | null },
): Promise<void> {
  const [row] = await tx.query(selectSprintItems[name], [record, account]);
  const operation = { engine, tx, by, type: engine.types.get("sprint_backlog_item") };
  for (const id of parseIds(row?.[0])) await updateUnchecked(operation, id, { estimate }, { account });
}

function parse(members: Readonly<Record<string, unknown>>): { estimate?: number | null; position?: number } {
  const problems: Problem[] = [];
  const { estimate, position } = members;
  const isWhole = (value: unknown, from: number, to: number): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= from && value <= to;
  const parsed: { estimate?: number | null; position?: number } = {};
  if (estimate === null || isWhole(estimate, 0, maxEstimate)) parsed.estimate = estimate;
  else if (estimate !== undefined) problems.push(["estimate", "is not valid"]);
  if (isWhole(position, 1, 2 ** 31 - 1)) parsed.position = position;
  else if (position !== undefined) problems.push(["position", "is not valid"]);
  if (problems.length > 0) throw new Invalid(problems);
  return parsed;
}
