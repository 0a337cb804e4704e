import type { Field } from "../../../records/vocabulary/index.ts";
import { buildReadBatch } from "../../storage/batch.ts";
import type { Transaction } from "../../storage/database.ts";
import { buildSharedReadClause } from "../access.ts";
import type { Caller } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { getKind } from "../kinds/index.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";
import { storedColumn } from "./save.ts";

// What a new record takes over from the records it refers to: a configuration item its support team from its product.

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

/** Fills what was not given. A reference that names nothing gives nothing; that it is wrong is found elsewhere. */
export async function inheritValues(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  after: Values,
): Promise<void> {
  for (const [reference, fields] of getInheritedFields(type)) {
    const id = after[reference];
    const wanted = fields.filter(({ name }) => after[name] == null);
    if (typeof id !== "number" || wanted.length === 0) continue;
    const target = engine.types.get((type.fields[reference] as Extract<Field, { kind: "reference" }>).to);
    const visible = buildSharedReadClause(target, by, engine.rules);
    const build = () => {
      let used = 1;
      const columns = wanted.map(({ from }) => storedColumn(target, from, engine.types));
      return `SELECT ${columns.join(", ")} FROM ${target.table} a WHERE a.id = $1 AND ${visible.sql("a", () => `$${++used}`)}`;
    };
    const key = `${type.name}#inherit#${wanted.map(({ name }) => name)}#${visible.key}`;
    const built = engine.statements.get(key, build, () => buildReadBatch(build(), { 1: "integer" }));
    const [row] = await tx.query(built, [id, ...visible.values]);
    wanted.forEach(({ name, from }, index) => {
      const text = row?.[index];
      if (text !== null && text !== undefined) after[name] = getKind(target.fields[from] as Field).parse(text);
    });
  }
}
