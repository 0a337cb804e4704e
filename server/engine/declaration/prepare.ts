import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { isInverseReference, linkColumns, overlayTable, referencesTable } from "../../schema/tables/table-names.ts";
import { getKind, pickColumn } from "../kinds/index.ts";
import type { Rules } from "../rules.ts";
import { pickForeignType } from "../schema/indexes.ts";
import { isEmptiedOnDelete, pickPlacement } from "../schema/placement.ts";
import { countsRevisions, revisionColumn } from "../schema/revision.ts";
import type { BodyMember, ReferenceList, SavedFields, Type } from "./type.ts";

/** Everything about a type that does not depend on other types; `connectTypes` adds the rest. */
export function prepareType(type: RecordType, rules: Rules): Type {
  const columns = new Map<string, string>();
  const members = new Map<string, BodyMember>();
  const shown: string[] = [];
  const selectable = new Set(["nodeID", "account"]);
  for (const [name, field] of Object.entries(type.fields)) {
    const column = pickColumn(name, field);
    if (column !== null) columns.set(name, column);
    if (isShown(field)) shown.push(name);
    else if (field.selectable) selectable.add(name);
    const aliases = field.alias === undefined ? [] : [field.alias, `${field.alias}_id`];
    const names = [name, ...aliases, ...(getKind(field).bodyNames?.(name, field) ?? [])];
    for (const bodyName of names) members.set(bodyName, { name, field });
  }
  for (const name of shown) if (type.fields[name]?.selectable !== false) selectable.add(name);
  const table = type.storage.virtual ? `(${rules.forType(type.name).rows})` : buildRowSource(type, columns);
  const fieldEntries = Object.entries(type.fields);
  return {
    ...type,
    table,
    rows: { key: "", sql: (alias) => `${table} ${alias}`, values: [] },
    ownTable: quoteIdentifier(type.collection),
    accountColumn: type.routes.singleton ? "id" : "account_id",
    outputFields: shown,
    detailFields: shown.filter((name) => !type.fields[name]?.onlyIfSelected),
    selectable,
    members,
    scopeName: type.name.replaceAll("_", "-"),
    columns,
    hasRevision: countsRevisions(type),
    fieldEntries,
    savedFields: prepareSavedFields(fieldEntries),
    storedColumns: [...columns].filter(([name]) => name !== "id"),
    referenceLists: fieldEntries.flatMap(([name, field]) => buildReferenceList(type, name, field)),
    codeFields: [],
    periods: fieldEntries.flatMap(([name, field]) =>
      field.endOf === undefined ? [] : [{ name, field, endOf: field.endOf }],
    ),
    completedFields: fieldEntries.filter(([, field]) => getKind(field).complete !== undefined).map(([name]) => name),
    placement: "everywhere",
    referencesToEmpty: [],
    owners: [],
  };
}

const neverAudited: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"]);

function prepareSavedFields(entries: readonly (readonly [string, Field])[]): SavedFields {
  const isAudited = (name: string, field: Field) =>
    !neverAudited.has(name) &&
    !field.internal &&
    !field.transient &&
    (field.access !== "writeonly" || getKind(field).hasOwnTable === true);
  return {
    withDefault: entries.filter(([, field]) => field.default !== undefined),
    required: entries.filter(([, field]) => field.access === "required"),
    internal: entries.filter(([, field]) => field.internal),
    audited: entries.filter(([name, field]) => isAudited(name, field)),
    slugs: entries.flatMap(([name, { derived }]) =>
      derived !== undefined && "slugOf" in derived ? [{ name, slugOf: derived.slugOf }] : [],
    ),
    derived: entries.flatMap(([name, { derived }]) =>
      derived !== undefined && "rule" in derived ? [{ name, rule: derived.rule }] : [],
    ),
  };
}

/** A field that acts on a save and is not stored is shown only where its value comes from elsewhere. */
const isShown = ({ access, transient, internal, firstOfLink, computed }: Field): boolean =>
  access !== "writeonly" && !internal && (!transient || firstOfLink !== undefined || computed !== undefined);

function buildReferenceList(type: RecordType, name: string, field: Field): ReferenceList[] {
  const { hasOwnTable, targets } = getKind(field);
  if (!hasOwnTable || field.transient || isInverseReference(type, name)) return [];
  const [ownColumn, otherColumn] = linkColumns(type.name, targets?.(field)[0] as string);
  return [{ name, field, table: quoteIdentifier(referencesTable(type.name, name)), ownColumn, otherColumn }];
}

/** Adds what depends on other types. */
export function connectTypes(types: ReadonlyMap<string, Type>): void {
  for (const type of types.values()) {
    type.placement = pickPlacement(type, types);
    type.codeFields = type.fieldEntries.flatMap(([name, field]) => {
      const { isCode, targets } = getKind(field);
      const target = isCode ? types.get(targets?.(field)[0] as string) : undefined;
      return target === undefined ? [] : [{ name, target }];
    });
    type.owners = type.ownedBy.flatMap((name) => {
      const [owner, column] = [types.get(name), type.columns.get(name)];
      return owner === undefined || column === undefined ? [] : [{ type: owner, column }];
    });
  }
  for (const type of types.values()) type.referencesToEmpty = findReferencesToEmpty(type, types);
}

/** Those that a foreign key would empty, did both tables not live with their account. */
function findReferencesToEmpty(target: Type, types: ReadonlyMap<string, Type>): Type["referencesToEmpty"] {
  if (target.placement !== "account" || target.deletion.deletable !== true) return [];
  return [...types.values()].flatMap((type) => {
    if (type.placement !== "account" || type.storage.virtual || type.storage.journal) return [];
    return type.fieldEntries.flatMap(([name, field]) => {
      const column = type.columns.get(name);
      const refersToTarget = column !== undefined && pickForeignType(field) === target.name;
      if (!refersToTarget || !isEmptiedOnDelete(type, name, target)) return [];
      const own = { table: type.ownTable, column, accountColumn: type.accountColumn };
      const overlay = { ...own, table: overlayTable(type), accountColumn: "home_account_id" };
      return type.sharing.perAccount.includes(name) ? [own, overlay] : [own];
    });
  });
}

/** A row that joins two records of a type is read twice, once from each end. */
function buildRowSource(
  { collection, storage: { bidirectional } }: RecordType,
  columns: ReadonlyMap<string, string>,
): string {
  if (bidirectional === null) return quoteIdentifier(collection);
  const { here, there, turned } = bidirectional;
  const named = (name: string) => quoteIdentifier(columns.get(name) ?? name);
  const fromThere = (name: string): string => {
    if (name === here || name === there) return named(name === here ? there : here);
    const values = Object.entries(turned[name] ?? {}).map(([from, to]) => `WHEN '${from}' THEN '${to}'`);
    return values.length === 0 ? named(name) : `CASE ${named(name)} ${values.join(" ")} ELSE ${named(name)} END`;
  };
  const names = ["account_id", revisionColumn, ...columns.keys()];
  const selectRows = (value: (name: string) => string) =>
    `SELECT ${names.map((name) => `${value(name)} AS ${named(name)}`).join(", ")} FROM ${quoteIdentifier(collection)}`;
  return `(${selectRows(named)} UNION ALL ${selectRows(fromThere)})`;
}
