import type { Field } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../storage/database.ts";
import { isInverseReference, linkColumns, referencesTable } from "../../storage/schema/derive.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import { getKind } from "../kinds/index.ts";
import type { Values } from "../rules.ts";
import type { Type, Types } from "../types.ts";

// Reading stored values back: the columns to select, and the values in a row of them.

/** The row that will be changed, locked, as values. */
export function readRow(type: Type, row: Row, at: number): Values {
  const values: Values = {};
  let index = at;
  for (const name of storedFields(type)) {
    const text = row[index++];
    const field = type.fields[name] as Field;
    values[name] =
      text === null || text === undefined ? (field.kind === "references" ? [] : null) : getKind(field).parse(text);
  }
  return values;
}

const comparedFields = new WeakMap<Type, readonly string[]>();

/** Fields whose values a change can compare: those with a column, and lists of references. */
export function storedFields(type: Type): readonly string[] {
  let found = comparedFields.get(type);
  if (found === undefined) {
    const isCompared = (name: string, field: Field) =>
      type.columns.has(name) || (field.kind === "references" && !field.transient && !isInverseReference(type, name));
    found = type.fieldEntries.filter(([name, field]) => name !== "id" && isCompared(name, field)).map(([name]) => name);
    comparedFields.set(type, found);
  }
  return found;
}

export function storedColumn(type: Type, name: string, types: Types): string {
  const field = type.fields[name] as Field;
  if (field.kind === "references") {
    const [one, other] = linkColumns(type.name, types.get(field.to).name);
    return `(SELECT json_agg(l.${other}) FROM ${quoteIdentifier(referencesTable(type.name, name))} l WHERE l.${one} = a.id)`;
  }
  const column = `a.${quoteIdentifier(type.columns.get(name) ?? name)}`;
  return field.kind === "strings" ? `to_json(${column})` : column;
}
