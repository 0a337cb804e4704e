import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

// What a new record takes over from its template where the word `defaultFrom` does not reach: fields that have a default
// of their own as well, and templates of two types.

/** `fields`: the fields of the new record and, where they differ, the columns of the template. */
export function copyFromTemplate(table: string, fields: Readonly<Record<string, string>>) {
  const members = Object.entries(fields).map(([name, column]) => `'${name}', ${column}`);
  const template = statement(
    `SELECT json_build_object(${members.join(", ")}) FROM ${table} WHERE id = $1 AND account_id = $2`,
  );
  return async ({ tx, by, before, after, changed }: Change): Promise<void> => {
    if (before !== null || typeof after.template !== "number") return;
    const [row] = await tx.query(template, [after.template, by.account]);
    const given = JSON.parse(row?.[0] ?? "{}") as Values;
    for (const [name, value] of Object.entries(given)) if (value !== null && !changed.has(name)) after[name] = value;
  };
}

/** The plain fields of a table that are named alike on both sides. */
export const sameNamedFields = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** One more record was made from the template. */
export const countTemplateUse = (table: string) => {
  const count = statement(`UPDATE ${table} SET times_applied = times_applied + 1 WHERE id = $1 AND account_id = $2`);
  return ({ tx, by, before, after }: Change): void => {
    if (before === null) tx.send(count, [after.template as number, by.account]);
  };
};
