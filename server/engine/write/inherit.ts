import type { Field } from "../../../records/vocabulary/index.ts";
import { buildSharedReadClause } from "../access.ts";
import { getKind } from "../kinds/index.ts";
import type { ReferenceField } from "../kinds/reference.ts";
import type { Operation } from "../operation.ts";
import type { Values } from "../rules.ts";
import { value } from "../sql/query.ts";
import type { Type } from "../types.ts";
import { batchById } from "./lock.ts";
import { storedColumn } from "./stored-row.ts";

// A new record inherits values from the records it refers to: a configuration item its support team from its product.

type InheritedField = { name: string; from: string };

/** The fields a type inherits, by the reference they come from, in the order of the declaration. */
const inheritedFieldsByType = new WeakMap<Type, ReadonlyMap<string, readonly InheritedField[]>>();

function getInheritedFields(type: Type): ReadonlyMap<string, readonly InheritedField[]> {
  let found = inheritedFieldsByType.get(type);
  if (found === undefined) {
    const sources = new Map<string, InheritedField[]>();
    for (const [name, field] of Object.entries(type.fields))
      if (field.default !== undefined && "of" in field.default) {
        const { of, field: from } = field.default;
        sources.set(of, [...(sources.get(of) ?? []), { name, from }]);
      }
    found = sources;
    inheritedFieldsByType.set(type, found);
  }
  return found;
}

/** Fills the fields that were not given. A wrong reference is reported by check-references.ts, not here. */
export async function inheritValues({ engine, tx, by, type }: Operation, after: Values): Promise<void> {
  for (const [reference, fields] of getInheritedFields(type)) {
    const id = after[reference];
    const wanted = fields.filter(({ name }) => after[name] == null);
    if (typeof id !== "number" || wanted.length === 0) continue;
    const target = engine.types.get((type.fields[reference] as ReferenceField).to);
    const visible = buildSharedReadClause(target, by, engine.rules);
    const query = engine.statements.prepare(
      `${type.name}#inherit#${wanted.map(({ name }) => name)}`,
      { id: value(id), visible },
      (sql) => {
        const columns = wanted.map(({ from }) => storedColumn(target, from));
        return `SELECT ${columns.join(", ")} FROM ${target.table} a WHERE a.id = ${sql.id} AND ${sql.visible}`;
      },
      batchById,
    );
    const [row] = await tx.query(query.statement, query.values);
    wanted.forEach(({ name, from }, index) => {
      const text = row?.[index];
      if (text !== null && text !== undefined) after[name] = getKind(target.fields[from] as Field).parse(text);
    });
  }
}
