import { BadRequest } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { readRows } from "../../engine/list.ts";
import { type Clause, oneOfAccounts } from "../../engine/sql/clauses.ts";
import { value } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { CallContext } from "../call-context.ts";
import { pickCustomFields } from "../model/list-arguments.ts";

// Filters by custom fields, which exist as far as the forms of the account define them (D-335).

export type CustomFilter = { name: string; values?: readonly (string | null)[] | null; negate?: boolean | null };

const selectForms = statement(
  `SELECT v.form_definition FROM ui_extensions u JOIN ui_extension_versions v ON v.id = u.active_version_id
WHERE u.account_id = $1 AND u.disabled IS NOT TRUE AND v.form_definition IS NOT NULL`,
);

/** The id of the custom field that a filter names: by its id, or by the name that the form gives to its filter. */
async function findCustomField(context: CallContext, type: Type, column: string, name: string): Promise<string> {
  const { engine, by } = context;
  for (const [text] of await engine.database.read(selectForms, [by.account])) {
    const found = findInForm(parseForm(text), name);
    if (found !== null) return found;
  }
  // A field that a form does not define any more may still have values.
  const query = engine.statements.prepare(
    `${type.name}#has custom field`,
    { where: oneOfAccounts(type.accountColumn, [by.account]), name: value(name) },
    (sql) => `SELECT 1 FROM ${type.table} a WHERE ${sql.where} AND a.${column} ? ${sql.name}::text LIMIT 1`,
  );
  if ((await readRows(engine, type, query, by)).length > 0) return name;
  throw new BadRequest(`Unknown custom filter: ${name.slice(0, 100)}`);
}

function parseForm(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Forms nest their fields in sections and columns: every object with an id may be one. */
function findInForm(part: unknown, name: string, depth = 0): string | null {
  if (typeof part !== "object" || part === null || depth > 20) return null;
  const { id, filter_name, filterName, label } = part as Record<string, unknown>;
  if (typeof id === "string" && [id, filter_name, filterName, label].includes(name)) return id;
  for (const inner of Object.values(part)) {
    const found = findInForm(inner, name, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

export async function buildCustomFieldClause(context: CallContext, type: Type, filter: CustomFilter): Promise<Clause> {
  const column = quoteIdentifier(pickCustomFields(type) as string);
  const id = await findCustomField(context, type, column, filter.name);
  const values = filter.values ?? [];
  const negated = filter.negate === true;
  const texts = values.filter((each): each is string => each !== null && each !== "");
  const hasBlank = values.length === 0 || texts.length < values.length;
  const tests = texts.map(parseTest);
  return {
    key: `${negated ? "!" : ""}custom ${hasBlank ? "blank" : ""} ${tests.map(({ key }) => key).join(",")}`,
    sql(alias, next) {
      const field = `(${alias}.${column} ->> ${next()}::text)`;
      const conditions = [
        ...(hasBlank ? [`coalesce(${field}, '') = ''`] : []),
        ...tests.map((test) => test.sql(field, next())),
      ];
      const any = `coalesce(${conditions.join(" OR ")}, false)`;
      return negated ? `NOT ${any}` : any;
    },
    values: [id, ...tests.map(({ operand }) => operand)],
  };
}

/** Values that can be compared as numbers or moments: a form may hold anything. */
const patterns = {
  numeric: "^-?\\d{1,30}(\\.\\d{1,30})?$",
  timestamptz:
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?(Z|[+-]\\d\\d:?\\d\\d)?)?$",
  text: "",
};

type Test = { key: string; operand: string; sql(field: string, placeholder: string): string };

/** `<2031-05-01T00:00:00Z`, `>=7`, or a value that is to be equal. */
function parseTest(text: string): Test {
  const match = /^(<=|>=|<|>)(.*)$/s.exec(text);
  if (match === null)
    return { key: "=", operand: text, sql: (field, placeholder) => `${field} = ${placeholder}::text` };
  const [operator, operand] = [match[1] as string, (match[2] as string).trim()];
  const type = /^-?\d+(\.\d+)?$/.test(operand)
    ? "numeric"
    : /^\d{4}-\d\d-\d\d([T ]|$)/.test(operand)
      ? "timestamptz"
      : "text";
  return {
    key: `${operator}${type}`,
    operand,
    sql: (field, placeholder) =>
      `(CASE WHEN ${field} ~ '${patterns[type]}' THEN ${field}::${type} ${operator} ${placeholder}::${type} END)`,
  };
}
