import type { Problem } from "../../base/errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { buildSharedReadClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { type CodeInput, isCodeInput } from "../kinds/code.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";

// Codes are given by the `reference` of the record they mean, and held as its id, like any other reference.

/** Puts ids in the place of references. What names nothing becomes a problem, and the value is as if it was not given. */
export async function resolveCodes(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  values: Values,
  problems: Problem[],
): Promise<void> {
  await Promise.all(
    type.codeFields.map(async ({ name, target }) => {
      const value = values[name];
      if (value === undefined || value === null || typeof value === "number") return;
      // A default of the declaration is the plain text.
      const reference = isCodeInput(value) ? (value as CodeInput).reference : String(value);
      const id = await loadIdByReference(engine, tx, by, target, reference);
      if (id !== null) values[name] = id;
      else {
        delete values[name];
        problems.push([name, "is not included in the list"]);
      }
    }),
  );
}

/** Among records of the same reference the enabled one of the own account is meant. */
async function loadIdByReference(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  target: Type,
  reference: string,
): Promise<number | null> {
  const visible = buildSharedReadClause(target, by, engine.rules);
  const built = engine.statements.get(`${target.name}#code#${visible.key}`, () => {
    let used = 2;
    const disabled = "disabled" in target.fields ? "a.disabled, " : "";
    const active = target.archivable === null ? "" : " AND a.life_cycle = 'active'";
    const where = `a.reference = $1 AND ${visible.sql("a", () => `$${++used}`)}${active}`;
    return `SELECT a.id FROM ${target.table} a WHERE ${where} ORDER BY ${disabled}a.account_id <> $2, a.id LIMIT 1`;
  });
  const rows = await tx.query(built, [reference, by.account, ...visible.values]);
  return rows[0] === undefined ? null : Number(rows[0][0]);
}
