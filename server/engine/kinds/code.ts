import type { Field } from "../../../records/vocabulary/index.ts";
import { andOfAccount } from "../sql/placement.ts";
import { type FieldKind, isStorable, Refusal, type Value } from "./kind.ts";
import { joinById, pickNewReferences, readId } from "./reference.ts";

// The wire shows the `reference` of a record, the table stores its id. This file reads the input; write/codes.ts finds the id.

/** The reference in the input, until the record is found. */
export type CodeInput = { readonly reference: string };
export const isCodeInput = (value: Value | undefined): value is CodeInput & { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && "reference" in value;

export type CodeField = Extract<Field, { kind: "code" }>;
export const isCode = (field: Field): field is CodeField => field.kind === "code";

const unknown = "is not included in the list";

export const code: FieldKind<CodeField> = {
  column: "integer",
  hasIdColumn: true,
  foreignKey: ({ to }) => to,
  isCovered: true,
  isCode: true,
  read(input) {
    if (typeof input === "number") return { reference: String(input) };
    if (typeof input === "string") {
      if (!isStorable(input)) throw new Refusal(unknown);
      return { reference: input };
    }
    return readCodeId(input);
  },
  readId: (input) => (input === null || input === "" ? null : readCodeId(input)),
  bodyNames: (name) => [`${name}_id`],
  parse: Number,
  targets: ({ to }) => [to],
  newReferences: ({ to }, before, after) => pickNewReferences([to], before, after, unknown),
  serialize({ field, column, account, joins, types }) {
    const target = types.get(field.to);
    const selected =
      joins === null
        ? `CASE WHEN ${column} IS NOT NULL THEN (SELECT t.reference FROM ${target.table} t WHERE t.id = ${column}${andOfAccount(target, "t", account)}) END`
        : `${joinById(target, column, account, joins)}.reference`;
    return {
      columns: [selected],
      guard: joins === null ? column : undefined,
      write: (row, at) => (row[at] === null || row[at] === undefined ? "null" : JSON.stringify(row[at])),
    };
  },
  write: (text) => text,
  filter: new Set(["equal", "set"]),
  groups: "values",
  readFilter: (text) => text,
  sortKey({ field, column, account, joins, types }) {
    const alias = `s${joins.length}`;
    const target = types.get(field.to);
    joins.push(`LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}${andOfAccount(target, alias, account)}`);
    return { expression: `${alias}.reference`, nullable: true, sqlType: "text" };
  },
  sqlType: "integer",
  schema: () => ({ type: "string" }),
  describe: {
    bodyMembers(name, field, { remarks, addRemarks, clearable, nameType }) {
      const codes = { type: "string", description: `the \`reference\` of ${nameType(field.to)}` };
      const byId = {
        ...clearable({ type: "integer", minimum: 1 }),
        description: `another way to write \`${name}\`: an id`,
      };
      return [
        [name, addRemarks(clearable(codes), remarks)],
        [`${name}_id`, byId],
      ];
    },
    filterValues: ({ to }, nameType) => `the reference of ${nameType(to)}`,
    example: ({ field, types, value }) => value(types.get(field.to), "reference"),
  },
  cell: {
    select:
      ({ field, types, value }) =>
      (row) =>
        `(SELECT r.reference FROM ${types.get(field.to).table} r WHERE r.id = ${value(row)})`,
  },
  check({ field, types, report }) {
    if (types.get(field.to)?.fields.reference === undefined)
      report(`names ${field.to}.reference, which does not exist`);
  },
};

/** `<field>_id: 7` and {"id": 7}, as for other references. */
function readCodeId(input: unknown): number {
  try {
    return readId(input);
  } catch {
    throw new Refusal(unknown);
  }
}
