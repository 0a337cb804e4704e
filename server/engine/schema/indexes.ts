import type { Condition, Field, RecordType } from "../../../records/vocabulary/index.ts";
import { buildLiteralList, quoteIdentifier } from "../../schema/tables/model.ts";
import { getKind, pickColumn } from "../kinds/index.ts";

// The indexes of a record type, by name.

/** The type that a foreign key on the column refers to; null where there is none. */
export const pickForeignType = (field: Field): string | null => getKind(field).foreignKey?.(field) ?? null;

export const buildOrderExpression = (field: Field | undefined, column: string): string =>
  (field === undefined ? undefined : getKind(field).orderExpression?.(quoteIdentifier(column))) ??
  quoteIdentifier(column);

/** References that other types follow in the opposite direction, such as "request.problem". */
export const collectInverseReferences = (register: readonly RecordType[]): ReadonlySet<string> =>
  new Set(
    register.flatMap(({ name, links, lists, children }) => [
      ...Object.values(links).flatMap((link) => ("by" in link ? [`${link.to}.${link.by}`] : [])),
      ...Object.values(lists).flatMap((list) => ("by" in list ? [`${list.of}.${list.by}`] : [])),
      ...Object.values(children).map(({ of, by = name }) => `${of}.${by}`),
    ]),
  );

export function buildRecordIndexes(
  type: RecordType,
  inverseReferences: ReadonlySet<string>,
): Map<string, { sql: string; unique: boolean }> {
  const indexes = new Map<string, { sql: string; unique: boolean }>();
  if (type.routes.singleton) return indexes;
  // Collections show active records only. The indexes hold just those, so a count does not read the table.
  const active = type.deletion.archivable === null ? "" : " WHERE life_cycle = 'active'";
  const addOrdered = (column: string, isSparse = false) => {
    if (isOnlyFilteredByChange(type, column)) {
      indexes.set(column, { sql: changedRanges, unique: false });
      return;
    }
    const covered = type.storage.grows ? coveringColumns(type, column) : [];
    const include = covered.length > 0 ? ` INCLUDE (${covered.map(quoteIdentifier).join(", ")})` : "";
    const keys =
      column === "id" ? "account_id, id" : `account_id, ${buildOrderExpression(type.fields[column], column)}, id`;
    const filled = isSparse
      ? `${active === "" ? " WHERE" : `${active} AND`} ${quoteIdentifier(column)} IS NOT NULL`
      : active;
    indexes.set(column === "id" ? "account_id" : column, { sql: `(${keys})${include}${filled}`, unique: false });
  };
  addOrdered("id");
  const wanted = type.storage.grows
    ? new Set([...type.filterable, ...type.sortable])
    : new Set([type.sort.replace("-", "")]);
  // The lists that people work with show open records, all of them or those of a team or person: they stay fast however
  // many records are finished.
  const open = buildOpenCondition(type);
  for (const name of listOpenFields(type)) {
    const column = name === "" ? "" : `${name}_id`;
    const keys = ["account_id", ...(column === "" ? [] : [column]), "id"].join(", ");
    const sql = `(${keys}) INCLUDE (updated_at)${active === "" ? " WHERE" : `${active} AND`} ${open}`;
    indexes.set(column === "" ? "open" : `open_${column}`, { sql, unique: false });
  }
  // Predefined filters for records with a mark that few records have.
  for (const { marks, condition } of type.storage.grows ? listMarkedViews(type) : []) {
    const column = type.sort.replace("-", "");
    const order = column === "id" ? [] : [buildOrderExpression(type.fields[column], column)];
    const sql = `(${["account_id", ...order, "id"].join(", ")})${active === "" ? " WHERE" : `${active} AND`} ${condition}`;
    indexes.set(marks, { sql, unique: false });
  }
  for (const name of wanted) {
    const field = type.fields[name];
    const column = field === undefined ? null : pickColumn(name, field);
    if (field === undefined || column === null || field.unindexed || getKind(field).isIndexable === false) continue;
    if (type.caseInsensitive.includes(name))
      indexes.set(`${column}_lower`, {
        sql: `(account_id, lower(${quoteIdentifier(column)}))${active}`,
        unique: false,
      });
    // Filters fold the case, the order of a list does not.
    const isOrder = type.storage.grows && type.sort.replace("-", "") === name;
    if (!type.caseInsensitive.includes(name) || isOrder)
      addOrdered(column, type.storage.grows && isSparse(type, name, field));
  }
  if ("sourceID" in type.fields) indexes.set("sourceID", { sql: `(account_id, "sourceID", source)`, unique: false });
  // Of several owners all but one are empty: rows without the owner need no entry.
  for (const parent of type.ownedBy) {
    const filled = type.storage.grows && type.ownedBy.length > 1 ? ` WHERE ${parent}_id IS NOT NULL` : "";
    indexes.set(`${parent}_id`, { sql: `(${parent}_id)${filled}`, unique: false });
  }
  for (const [name, field] of Object.entries(type.fields)) {
    const column = pickColumn(name, field);
    if (column === null || !(field.indexed || (inverseReferences.has(`${type.name}.${name}`) && !indexes.has(column))))
      continue;
    const key = getKind(field).isJson ? "id" : quoteIdentifier(column);
    indexes.set(`sought_${column}`, { sql: `(${key}) WHERE ${quoteIdentifier(column)} IS NOT NULL`, unique: false });
  }
  for (const fields of type.unique) {
    const columns = fields.map((field) =>
      getKind(type.fields[field] as Field).foldsCase
        ? `lower(${quoteIdentifier(field)})`
        : quoteIdentifier(pickColumn(field, type.fields[field] as Field) ?? field),
    );
    indexes.set(`unique_${fields.join("_")}`, { sql: `(account_id, ${columns.join(", ")})`, unique: true });
  }
  return indexes;
}

/**
 * Whether a column is empty in many rows, which then need no entry in its index: every change of a row writes one into each
 * of its indexes. Rows without a value are wanted by sorting, and by filters that find too many rows for an index anyway.
 */
const isSparse = (type: RecordType, name: string, { access, kind }: Field): boolean =>
  access !== "required" &&
  kind !== "boolean" &&
  name !== "created_at" &&
  name !== "updated_at" &&
  !type.sortable.includes(name);

/**
 * Lists of the type are filtered by the moment of the last change, but not sorted. Rows lie in the table in about the order of
 * these moments, so an index of ranges is enough. It is tiny, and unlike the others it does not keep PostgreSQL from changing a
 * row in its place, without a new entry in any index (D-580).
 */
const isOnlyFilteredByChange = (type: RecordType, column: string): boolean =>
  column === "updated_at" && type.storage.grows && !type.sortable.includes(column);

/** Smaller ranges than the usual ones: a row that is changed much later than its neighbors spoils one of them. */
const changedRanges = "USING brin (updated_at) WITH (pages_per_range = 16)";

/** Predefined filters for fields that are false by default, which must be true. */
function listMarkedViews(type: RecordType): { marks: string; condition: string }[] {
  return Object.values(type.views).flatMap((view) => {
    const tests = "fields" in view ? Object.entries(view.fields) : [];
    const marks = tests.filter(([, test]) => test === true);
    const conditions = tests.flatMap(([name, test]) => {
      if (test === true) return [quoteIdentifier(name)];
      const isExclusion = typeof test === "object" && test !== null && "not" in test;
      return isExclusion ? [`${quoteIdentifier(name)} NOT IN ${buildLiteralList(test.not)}`] : [];
    });
    if (marks.length === 0 || conditions.length < tests.length) return [];
    return [{ marks: marks.map(([name]) => name).join("_"), condition: conditions.join(" AND ") }];
  });
}

/** The fields by which the open records of a type can be found in their order; "": all of them. */
export function listOpenFields(type: Pick<RecordType, "storage" | "views" | "sortable" | "fields">): readonly string[] {
  if (!type.storage.grows || buildOpenCondition(type) === null) return [];
  const isForeign = (name: string) => name in type.fields && pickForeignType(type.fields[name] as Field) !== null;
  return ["", ...type.sortable.filter(isForeign)];
}

function buildOpenCondition(type: Pick<RecordType, "views">): string | null {
  const { open } = type.views;
  const test = open !== undefined && "fields" in open ? open.fields.status : null;
  return typeof test === "object" && test !== null && "not" in test
    ? `status NOT IN ${buildLiteralList(test.not)}`
    : null;
}

/**
 * A list of a large table is counted and its page found inside one index. So an index includes the columns that lists
 * usually filter by: those of the views, and updated_at where lists are sorted by it; those on the two timestamps, every column with
 * short values.
 */
function coveringColumns(type: RecordType, column: string): string[] {
  const names = new Set<string>(type.sortable.includes("updated_at") ? ["updated_at"] : []);
  const collect = (condition: Condition): void => {
    if ("any" in condition) condition.any.forEach(collect);
    else if ("fields" in condition) for (const name of Object.keys(condition.fields)) names.add(name);
  };
  for (const condition of Object.values(type.views)) collect(condition);
  if (column === "updated_at" || column === "created_at")
    for (const name of type.filterable) {
      const field = type.fields[name] as Field;
      if (getKind(field).isCovered && !field.unindexed) names.add(name);
    }
  return [...names].flatMap((name) => {
    const field = type.fields[name];
    const other = field === undefined || name === "id" ? null : pickColumn(name, field);
    return other === null || other === column ? [] : [other];
  });
}
