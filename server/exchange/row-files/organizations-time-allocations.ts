import { NotFound } from "../../base/errors.ts";
import { linkInTransaction, unlinkInTransaction } from "../../engine/links.ts";
import { buildKeyWithAccountSql } from "../natural-keys.ts";
import { requireNamedRecord } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

/** One time allocation of one organization per row. Links that no row names stay. */
export const organizationsTimeAllocationsFile: RowFile = {
  name: "organizations_time_allocations",
  columns: { organization: "Organization", time_allocation: "Time Allocation" },
  key: [],
  buildSelect(types) {
    const nameRecord = (type: string, row: string) => buildKeyWithAccountSql(types.get(type), row, "l.account_id");
    return `SELECT ${nameRecord("organization", "o")}, ${nameRecord("time_allocation", "t")}
FROM time_allocation_organizations l JOIN organizations o ON o.id = l.organization_id JOIN time_allocations t ON t.id = l.time_allocation_id
WHERE l.account_id = $1 ORDER BY o.id, l.place`;
  },
  async save(context, tx, cells) {
    const { engine, by } = context;
    const organization = await requireNamedRecord(context, tx, cells, { name: "organization", type: "organization" });
    const wanted = { name: "time_allocation", type: "time_allocation" };
    const allocation = await requireNamedRecord(context, tx, cells, wanted);
    const operation = { engine, tx, by, type: engine.types.get("time_allocation") };
    if (!(await linkInTransaction(operation, allocation, "organizations", organization))) return "unchanged";
    return { outcome: "created", trace: { allocation, organization } };
  },
  async undo({ engine, by }, tx, { allocation, organization }) {
    const operation = { engine, tx, by, type: engine.types.get("time_allocation") };
    await unlinkInTransaction(operation, Number(allocation), "organizations", Number(organization)).catch((error) => {
      if (!(error instanceof NotFound)) throw error; // it no longer exists
    });
    return [];
  },
};
