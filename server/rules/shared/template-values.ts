import { statement } from "../../database/database.ts";
import type { Change, Values } from "../../engine/rules.ts";

// Values that a new record copies from its template where `defaultFrom` in the declaration is not enough: fields that
// have another default as well, and templates of two types.

/** `fields`: the fields of the new record, each with the column of the template that it is copied from. */
export function copyFromTemplate(table: string, fields: Readonly<Record<string, string>>) {
  const members = Object.entries(fields).map(([name, column]) => `'${name}', ${column}`);
  const selectTemplate = statement(
    `SELECT json_build_object(${members.join(", ")}) FROM ${table} WHERE id = $1 AND account_id = $2`,
  );
  return async ({ tx, by, before, after, changed }: Change): Promise<void> => {
    if (before !== null || typeof after.template !== "number") return;
    const [row] = await tx.query(selectTemplate, [after.template, by.account]);
    const values: Values = JSON.parse(row?.[0] ?? "{}");
    for (const [name, value] of Object.entries(values)) if (value !== null && !changed.has(name)) after[name] = value;
  };
}

/** Fields that are copied from the column of the same name. */
export const sameNamedFields = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** Increments times_applied of the template that a new record is created from. */
export const countTemplateUse = (table: string) => {
  const incrementUse = statement(
    `UPDATE ${table} SET times_applied = times_applied + 1 WHERE id = $1 AND account_id = $2`,
  );
  return ({ tx, by, before, after }: Change): void => {
    if (before === null && typeof after.template === "number") tx.send(incrementUse, [after.template, by.account]);
  };
};
