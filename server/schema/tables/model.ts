// A database schema as data, written and read as SQL with one fact per line, so that two schemas can be compared.

export type Column = { name: string; definition: string };
/** `by`: the time of a row, a month of which is a partition; `storage`: parameters of every partition */
export type Partitioning = { by: string; storage?: string };
export type Table = { name: string; columns: Column[]; partitioning?: Partitioning };
export type Schema = {
  tables: Table[];
  /** indexes, keys, functions, sequences and triggers: name and the statement that creates it */
  extras: Extra[];
};
export type Extra = {
  kind: "index" | "constraint" | "function" | "sequence" | "trigger" | "storage";
  name: string;
  table: string;
  sql: string;
  /** what the statement of a foreign key says */
  foreignKey?: ForeignKey;
};
export type OnDelete = "" | " ON DELETE CASCADE" | " ON DELETE SET NULL";
export type ForeignKey = {
  name: string;
  table: string;
  columns: readonly string[];
  target: string;
  targetColumns: readonly string[];
  onDelete: OnDelete;
};

export const quoteIdentifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name}"`;
const reserved = new Set(
  (
    "all analyse analyze and any array as asc asymmetric authorization binary both case cast check " +
    "collate collation column concurrently constraint create cross current_user default deferrable desc " +
    "distinct do else end except false fetch for foreign freeze from full grant group having ilike in " +
    "initially inner intersect into is join lateral leading left like limit natural not null offset on " +
    "only or order outer overlaps placing primary references returning right select similar some " +
    "symmetric table then to trailing true union unique user using variadic verbose when where window " +
    "with"
  ).split(" "),
);

export function buildForeignKey(foreignKey: ForeignKey): Extra {
  const { name, table, columns, target, targetColumns, onDelete } = foreignKey;
  const list = (names: readonly string[]) => `(${names.map(quoteIdentifier).join(", ")})`;
  const references = `REFERENCES ${quoteIdentifier(target)} ${list(targetColumns)}${onDelete}`;
  const sql = `ALTER TABLE ${quoteIdentifier(table)} ADD CONSTRAINT ${quoteIdentifier(name)} FOREIGN KEY ${list(columns)} ${references}`;
  return { kind: "constraint", name, table, sql, foreignKey };
}

/** Values of a declaration as text of the statement, so that a partial index applies. Values of clients are parameters. */
export const buildLiteralList = (values: readonly (string | number | boolean)[]): string =>
  `(${values.map((value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value))).join(", ")})`;

/** Takes the rows of months that have no partition of their own. */
export const defaultPartition = (table: string): string => `${table}_other`;

export function createTable({ name, columns, partitioning }: Table): string {
  const lines = columns.map((column) => `  ${quoteIdentifier(column.name)} ${column.definition}`).join(",\n");
  const table = `CREATE TABLE ${quoteIdentifier(name)} (\n${lines}\n)`;
  if (partitioning === undefined) return `${table};`;
  const { by, storage } = partitioning;
  const parameters = storage === undefined ? "" : ` WITH (${storage})`;
  return `${table} PARTITION BY RANGE (${by});\nCREATE TABLE ${defaultPartition(name)} PARTITION OF ${name} DEFAULT${parameters};`;
}

/** They are there before the tables. */
const comesFirst = (kind: Extra["kind"]): boolean => kind === "function" || kind === "sequence";

const header = "-- Made from the declarations by `npm run draft-migration`; never edited by hand.\n";

export function dumpSchema(schema: Schema): string {
  const parts = schema.tables.map((table) => {
    const extras = schema.extras.filter(
      ({ table: on, kind }) => on === table.name && kind !== "constraint" && !comesFirst(kind),
    );
    return [createTable(table), ...extras.map((extra) => `-- ${extra.kind} ${extra.name}\n${extra.sql};`)].join("\n");
  });
  const first = schema.extras
    .filter(({ kind }) => comesFirst(kind))
    .map(({ kind, name, sql }) => `-- ${kind} ${name}\n${sql};`);
  const constraints = schema.extras
    .filter((extra) => extra.kind === "constraint")
    .map((extra) => `-- constraint ${extra.name}\n${extra.sql};`);
  return `${header}\n${[...first, ...parts, ...constraints].join("\n\n")}\n`;
}

/** Parses the output of `dumpSchema`. */
export function parseDump(text: string): Schema {
  const schema: Schema = { tables: [], extras: [] };
  const unquoted = (name: string) => name.replaceAll('"', "");
  const pattern =
    /CREATE TABLE (\S+) \(\n([\s\S]*?)\n\)(?: PARTITION BY RANGE \((\w+)\);\nCREATE TABLE \S+ PARTITION OF \S+ DEFAULT(?: WITH \((.*?)\))?)?;|-- (index|constraint|function|sequence|trigger|storage) (\S+)\n([\s\S]*?);(?=\n(?:\n|--|$))/g;
  for (const [, tableName, body, by, storage, kind, name, sql] of text.matchAll(pattern)) {
    if (tableName !== undefined && body !== undefined) {
      const columns = body.split(",\n").map((line) => {
        const match = /^ {2}("[^"]+"|\S+) (.*)$/s.exec(line);
        if (match === null) throw new Error(`not a column of ${tableName}: ${line}`);
        return { name: unquoted(match[1] as string), definition: match[2] as string };
      });
      const partitioning =
        by === undefined ? {} : { partitioning: { by, ...(storage === undefined ? {} : { storage }) } };
      schema.tables.push({ name: unquoted(tableName), columns, ...partitioning });
    } else {
      const table = / ON (\S+)|ALTER TABLE (\S+)/.exec(sql as string);
      schema.extras.push({
        kind: kind as Extra["kind"],
        name: name as string,
        table: kind === "function" || kind === "sequence" ? "" : unquoted(table?.[1] ?? table?.[2] ?? ""),
        sql: sql as string,
      });
    }
  }
  return schema;
}
