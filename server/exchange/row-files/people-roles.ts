import { enumerations } from "../../../records/enumerations/index.ts";
import { Invalid } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { buildKeyWithAccountSql } from "../natural-keys.ts";
import { readCell, requireNamedRecord } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

/** Gives a person a role in an account or takes it away, with the checks of the API. */
export type ChangeRole = (
  tx: Transaction,
  by: Caller,
  target: { person: number; account: string },
  role: string,
  mode: "add" | "remove",
) => Promise<void>;

const roles: readonly string[] = enumerations["permission.role"];
const selectRole = statement("SELECT 1 FROM permissions WHERE account_id = $1 AND person_id = $2 AND role = $3");

/** One role of one person per row; without an account, that of the import. Roles that no row names stay. */
export const buildPeopleRolesFile = (changeRole: ChangeRole): RowFile => ({
  name: "people_roles",
  columns: { person: "Person", account: "Account", role: "Role" },
  key: [],
  // Other roles need that of a specialist beside them, so it comes first.
  buildSelect: (types) =>
    `SELECT ${buildKeyWithAccountSql(types.get("person"), "r", "p.account_id")}, p.account_id, p.role
FROM permissions p JOIN people r ON r.id = p.person_id WHERE p.account_id = $1 AND r.life_cycle = 'active'
ORDER BY r.id, p.role <> 'specialist', p.role`,
  async save(context, tx, cells) {
    const { by } = context;
    const person = await requireNamedRecord(context, tx, cells, { name: "person", type: "person" });
    const account = readCell(cells, "account") || by.account;
    const role = readCell(cells, "role").toLowerCase().replaceAll(" ", "_");
    if (role === "") throw new Invalid([["role", "can't be blank"]]);
    if (!roles.includes(role)) throw new Invalid([["role", "is not included in the list"]]);
    if ((await tx.query(selectRole, [account, person, role])).length > 0) return "unchanged";
    await changeRole(tx, by, { person, account }, role, "add");
    return { outcome: "created", trace: { person, account, role } };
  },
  /** A role that was removed meanwhile no longer exists. */
  async undo({ by }, tx, { person, account, role }) {
    await changeRole(tx, by, { person: Number(person), account: String(account) }, String(role), "remove");
    return [];
  },
});
