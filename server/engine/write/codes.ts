import type { Problem } from "../../base/errors.ts";
import { parseFirstId } from "../../database/rows.ts";
import { buildSharedReadClause } from "../access.ts";
import { type CodeInput, isCodeInput } from "../kinds/code.ts";
import type { Operation } from "../operation.ts";
import type { Values } from "../rules.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";

// Input names the record of a code field by its `reference`; the table stores the id, as for any other reference.

/** Replaces references by ids. A reference that names no record becomes a problem, and the field counts as not given. */
export async function resolveCodes(operation: Operation, values: Values, problems: Problem[]): Promise<void> {
  await Promise.all(
    operation.type.codeFields.map(async ({ name, target }) => {
      const value = values[name];
      if (value === undefined || value === null || typeof value === "number") return;
      // The default of a declaration is plain text.
      const reference = isCodeInput(value) ? (value as CodeInput).reference : String(value);
      const id = await loadIdByReference(operation, target, reference);
      if (id !== null) values[name] = id;
      else {
        delete values[name];
        problems.push([name, "is not included in the list"]);
      }
    }),
  );
}

/** Among records of the same reference, enabled ones and those of the caller's account come first. */
async function loadIdByReference(
  { engine, tx, by }: Operation,
  target: Type,
  reference: string,
): Promise<number | null> {
  const visible = buildSharedReadClause(target, by, engine.rules);
  const parts = { reference: value(reference), account: value(by.account), visible };
  const query = engine.statements.prepare(`${target.name}#code`, parts, (sql) => {
    const disabled = "disabled" in target.fields ? "a.disabled, " : "";
    const active = target.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const where = `a.reference = ${sql.reference} AND ${sql.visible}${active}`;
    return `SELECT a.id FROM ${target.table} a WHERE ${where} ORDER BY ${disabled}a.account_id <> ${sql.account}, a.id LIMIT 1`;
  });
  return parseFirstId(await tx.query(query.statement, query.values));
}
