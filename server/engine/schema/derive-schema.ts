import { createHash } from "node:crypto";
import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import {
  buildForeignKey,
  type Column,
  type OnDelete,
  quoteIdentifier,
  type Schema,
  type Table,
} from "../../schema/tables/model.ts";
import { buildMarkedWords } from "../../schema/tables/search-index.ts";
import { systemTables } from "../../schema/tables/system-tables.ts";
import {
  isInverseReference,
  linkColumns,
  overlayTable,
  referencesTable,
  viewersTable,
} from "../../schema/tables/table-names.ts";
import { getKind, pickColumn } from "../kinds/index.ts";
import { buildOrderExpression, buildRecordIndexes, collectInverseReferences, pickForeignType } from "./indexes.ts";
import { placeKeys } from "./placed-keys.ts";
import { buildPlacements, isEmptiedOnDelete } from "./placement.ts";
import { countsRevisions, overlayRevisionDefinition, revisionColumn, revisionDefinition } from "./revision.ts";

// From declarations to tables: a table per type, a column per field, an index per filter and sort of a table that grows.

export function deriveSchema(register: readonly RecordType[]): Schema {
  const builder = new SchemaBuilder(register);
  // Tables that share the sequence of another one come after it.
  for (const type of register)
    if (!type.storage.virtual && type.storage.sharesIdsWith === null) builder.addRecordType(type);
  for (const type of register)
    if (!type.storage.virtual && type.storage.sharesIdsWith !== null) builder.addRecordType(type);
  const { tables, extras } = builder.schema;
  return placeKeys(
    { tables: [...tables, ...systemTables.tables], extras: [...extras, ...systemTables.extras] },
    buildPlacements(register),
  );
}

class SchemaBuilder {
  readonly schema: Schema = { tables: [], extras: [] };
  private readonly byName: ReadonlyMap<string, RecordType>;
  private readonly inverseReferences: ReadonlySet<string>;

  constructor(register: readonly RecordType[]) {
    this.byName = new Map(register.map((type) => [type.name, type]));
    this.inverseReferences = collectInverseReferences(register);
  }

  addRecordType(type: RecordType): void {
    this.schema.tables.push(buildRecordTable(type, this.byName));
    for (const [name, field] of Object.entries(type.fields)) this.addFieldExtras(type, name, field);
    for (const link of Object.values(type.links))
      if ("table" in link) this.addLinkTable(link.table, type, this.getType(link.to));
    if (type.storage.grows) {
      // A count reads the index alone only for pages that vacuum has marked as visible to all, so vacuum runs early.
      // Room in every page, so that a row whose change concerns no index is changed in its place.
      const room = "updated_at" in type.fields ? "fillfactor = 90, " : "";
      const sql = `ALTER TABLE ${quoteIdentifier(type.collection)} SET (${room}autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`;
      this.schema.extras.push({ kind: "storage", name: `${type.collection}_storage`, table: type.collection, sql });
    }
    for (const [name, { sql, unique }] of buildRecordIndexes(type, this.inverseReferences))
      this.addIndex(type.collection, name, sql, unique);
    if (type.searchable.length > 0) this.addSearchIndex(type);
    if (type.sharing.perAccount.length > 0) this.addOverlayTable(type);
    if (type.sharing.viewers !== null) this.addAccountsTable(type, viewersTable(type), []);
  }

  private getType(name: string): RecordType {
    return this.byName.get(name) as RecordType;
  }

  /** The foreign key of a field, and the table of a list of references. */
  private addFieldExtras(type: RecordType, name: string, field: Field): void {
    const [column, foreignType, kind] = [pickColumn(name, field), pickForeignType(field), getKind(field)];
    if (foreignType !== null && column !== null && !type.storage.journal) {
      const target = this.getType(foreignType);
      this.addForeignKey(type.collection, column, target.collection, buildOnDelete(type, name, target));
    }
    if (kind.hasOwnTable && !field.transient && !isInverseReference(type, name))
      this.addLinkTable(referencesTable(type.name, name), type, this.getType(kind.targets?.(field)[0] as string));
  }

  private addIndex(table: string, name: string, definition: string, unique = false): void {
    const full = shortenName(`${table}_${name}`);
    const sql = `CREATE ${unique ? "UNIQUE " : ""}INDEX ${quoteIdentifier(full)} ON ${quoteIdentifier(table)} ${definition}`;
    this.schema.extras.push({ kind: "index", name: full, table, sql });
  }

  private addForeignKey(table: string, column: string, target: string, onDelete: OnDelete = ""): void {
    const name = shortenName(`${table}_${column}_fkey`);
    this.schema.extras.push(
      buildForeignKey({ name, table, columns: [column], target, targetColumns: ["id"], onDelete }),
    );
  }

  private addLinkTable(name: string, from: RecordType, to: RecordType): void {
    if (this.schema.tables.some((table) => table.name === name)) return; // a list of references that is also a link
    const [own, other] = linkColumns(from.name, to.name);
    this.schema.tables.push({
      name,
      columns: [
        { name: "account_id", definition: accountColumn },
        { name: own, definition: "integer NOT NULL" },
        { name: other, definition: "integer NOT NULL" },
        { name: "place", definition: placeColumn },
      ],
    });
    this.addIndex(name, "key", `(${own}, ${other})`, true);
    this.addIndex(name, "inverse", `(${other}, ${own})`);
    this.addForeignKey(name, own, from.collection, " ON DELETE CASCADE");
    this.addForeignKey(name, other, to.collection, " ON DELETE CASCADE");
  }

  private addSearchIndex(type: RecordType): void {
    const owners = type.ownedBy.filter((name) => this.byName.get(name)?.searchable.length);
    const active = type.deletion.archivable === null ? "" : " WHERE life_cycle = 'active'";
    // Every search reads the list of pending words, so it is kept short.
    const pending = "WITH (gin_pending_list_limit = 128)";
    this.addIndex(type.collection, "words", `USING gin (${buildMarkedWords(type, owners)}) ${pending}${active}`);
  }

  /** A table with one row for each further account that participates in or views a record. */
  private addAccountsTable(type: RecordType, table: string, columns: Column[]): void {
    const record = `${type.name}_id`;
    this.schema.tables.push({
      name: table,
      columns: [
        { name: record, definition: "integer NOT NULL" },
        { name: "account_id", definition: accountColumn },
        { name: "home_account_id", definition: accountColumn },
        ...columns,
      ],
    });
    this.addIndex(table, "key", `(${record}, account_id)`, true);
    this.addIndex(table, "account_id", `(account_id, ${record})`);
    this.addForeignKey(table, record, type.collection, " ON DELETE CASCADE");
  }

  private addOverlayTable(type: RecordType): void {
    const table = overlayTable(type);
    const names = type.sharing.perAccount.map((name) => pickColumn(name, type.fields[name] as Field));
    const columns = buildRecordTable(type, this.byName).columns.filter(({ name }) => names.includes(name));
    this.addAccountsTable(type, table, [...columns, { name: revisionColumn, definition: overlayRevisionDefinition }]);
    for (const name of type.sharing.perAccount) {
      const field = type.fields[name] as Field;
      const column = pickColumn(name, field) as string;
      if (!field.unindexed && (type.filterable.includes(name) || type.sortable.includes(name)))
        this.addIndex(table, column, `(account_id, ${buildOrderExpression(field, column)}, ${type.name}_id)`);
      const foreignType = pickForeignType(field);
      if (foreignType === null) continue;
      const target = this.getType(foreignType);
      this.addForeignKey(table, column, target.collection, buildOnDelete(type, name, target));
    }
  }
}

/** A record is deleted with its owner; references to a record that can be deleted become null. */
function buildOnDelete(type: RecordType, name: string, target: RecordType): OnDelete {
  if (type.ownedBy.includes(name)) return " ON DELETE CASCADE";
  return isEmptiedOnDelete(type, name, target) ? " ON DELETE SET NULL" : "";
}

const idColumn = "integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY";
/** Two types with one sequence of ids never use the same id. */
const sharedIdColumn = (other: RecordType | undefined): string =>
  `integer DEFAULT nextval('${quoteIdentifier(`${other?.collection}_id_seq`)}') PRIMARY KEY`;
/** counts up, so that links keep their order */
const placeColumn = "bigint GENERATED BY DEFAULT AS IDENTITY";
const accountColumn = 'text COLLATE "C" NOT NULL';

function columnDefinition(field: Field, byName: ReadonlyMap<string, RecordType>): string {
  const kind = getKind(field);
  const target = byName.get(kind.targets?.(field)[0] ?? "");
  const definition = kind.defineColumn?.(field, target) ?? String(kind.column);
  const isRequired = field.access === "required" && field.requiredFrom === undefined;
  return isRequired && !definition.includes(" NOT NULL") ? `${definition} NOT NULL` : definition;
}

function shortenName(name: string): string {
  if (name.length <= 60) return name;
  return `${name.slice(0, 50)}_${createHash("sha1").update(name).digest("hex").slice(0, 8)}`;
}

function buildRecordTable(type: RecordType, byName: ReadonlyMap<string, RecordType>): Table {
  const columns: Column[] = type.routes.singleton
    ? [{ name: "id", definition: 'text COLLATE "C" PRIMARY KEY' }]
    : [
        {
          name: "id",
          definition:
            type.storage.sharesIdsWith === null ? idColumn : sharedIdColumn(byName.get(type.storage.sharesIdsWith)),
        },
        { name: "account_id", definition: accountColumn },
      ];
  for (const [name, field] of Object.entries(type.fields)) {
    const column = pickColumn(name, field);
    if (column === null || name === "id") continue;
    if (name === "created_at" || name === "updated_at")
      columns.push({ name, definition: `${getKind(field).column} NOT NULL` });
    else
      columns.push({
        name: column,
        definition: columnDefinition(field, byName),
      });
  }
  if (type.deletion.archivable !== null)
    columns.push({ name: "life_cycle", definition: "text NOT NULL DEFAULT 'active'" });
  if (countsRevisions(type)) columns.push({ name: revisionColumn, definition: revisionDefinition });
  return { name: type.collection, columns };
}
