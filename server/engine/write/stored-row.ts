import type { Field } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { getKind } from "../kinds/index.ts";
import type { Values } from "../rules.ts";
import type { Type } from "../types.ts";

// Reading stored values back: the columns to select, and the values in a row of them.

/** The values of a row in which the columns of `storedFields` begin at an index. */
export function readRow(type: Type, row: Row, start: number): Values {
  const values = createBlankValues(type, storedFields);
  let index = start;
  for (const name of storedFields(type)) {
    const text = row[index++];
    const kind = getKind(type.fields[name] as Field);
    values[name] = text === null || text === undefined ? (kind.empty?.() ?? null) : kind.parse(text);
  }
  return values;
}

const blankValues = new WeakMap<Type, Map<(type: Type) => readonly string[], Values>>();

/**
 * An object with an empty value for each of the fields. An object to which a hundred members are added one by one becomes a hash
 * table, of which a copy takes longer than everything else in a save; a copy of a parsed one does not (D-643).
 */
export function createBlankValues(type: Type, listFields: (type: Type) => readonly string[]): Values {
  const ofType = blankValues.get(type) ?? new Map<(type: Type) => readonly string[], Values>();
  blankValues.set(type, ofType);
  let blank = ofType.get(listFields);
  if (blank === undefined) {
    blank = JSON.parse(`{${listFields(type).map((name) => `${JSON.stringify(name)}:null`)}}`) as Values;
    ofType.set(listFields, blank);
  }
  return { ...blank };
}

const cachedFields = new WeakMap<Type, readonly string[]>();

/** Fields with stored values: those with a column, and lists of references. */
export function storedFields(type: Type): readonly string[] {
  let names = cachedFields.get(type);
  if (names === undefined) {
    const lists = new Set(type.referenceLists.map(({ name }) => name));
    names = Object.keys(type.fields).filter((name) => name !== "id" && (type.columns.has(name) || lists.has(name)));
    cachedFields.set(type, names);
  }
  return names;
}

/** The value of a field of the row `a`, as `readRow` expects it; `account`: the column with the account of the record. */
export function storedColumn(type: Type, name: string, account = "account_id"): string {
  const list = type.referenceLists.find((each) => each.name === name);
  if (list !== undefined)
    return `(SELECT json_agg(l.${list.otherColumn}) FROM ${list.table} l WHERE l.${list.ownColumn} = a.id AND l.account_id = a.${account})`;
  const column = `a.${quoteIdentifier(type.columns.get(name) ?? name)}`;
  return getKind(type.fields[name] as Field).selectStored?.(column) ?? column;
}
