import type { Value } from "../../database/database.ts";
import type { Fragment } from "../../engine/sql/clauses.ts";
import type { AttributePath } from "../schema/attribute-path.ts";
import { type Filter, getLastAttribute, type Operator } from "./filter.ts";

// A filter as a condition on rows with a column `document`. What the tables store beside the document is named in
// `StoredApart`; everything else is read from the document.

export type StoredApart = {
  /** SQL of single values, by their path: userName, meta.created */
  values: Readonly<Record<string, (alias: string) => string>>;
  /** SQL of a list whose elements are rows of another table: a condition that some row meets `part` */
  lists: Readonly<Record<string, (alias: string, buildPart: (values: StoredApart, alias: string) => string) => string>>;
};

const nothingApart: StoredApart = { values: {}, lists: {} };

export function filterToSql(filter: Filter, apart: StoredApart): Fragment {
  const values: Value[] = [];
  collectValues(filter, values);
  return {
    key: describeFilter(filter),
    sql: (alias, next) => new FilterWriter(next).write(filter, apart, alias),
    values,
  };
}

class FilterWriter {
  private readonly next: () => string;
  private lists = 0;

  constructor(next: () => string) {
    this.next = next;
  }

  write(filter: Filter, apart: StoredApart, alias: string): string {
    switch (filter.kind) {
      case "and":
      case "or": {
        const parts = filter.parts.map((part) => this.write(part, apart, alias));
        return `(${parts.join(filter.kind === "and" ? " AND " : " OR ")})`;
      }
      case "not":
        return `NOT coalesce(${this.write(filter.part, apart, alias)}, false)`;
      case "present":
        return this.writePresent(filter.path, apart, alias);
      case "element":
        return this.writeElement(filter, apart, alias);
      case "compare":
        return this.writeComparison(filter, apart, alias);
    }
  }

  private writePresent(path: AttributePath, apart: StoredApart, alias: string): string {
    const list = apart.lists[path.attribute.name];
    if (list !== undefined && path.extension === null) return list(alias, () => "true");
    const value = findValue(path, apart)?.(alias);
    if (value !== undefined) return `${value} IS NOT NULL`;
    const json = `${alias}.document #> ${jsonPath(path)}`;
    return `coalesce(${json} NOT IN ('""', 'null', '[]', '{}'), false)`;
  }

  private writeElement(filter: Extract<Filter, { kind: "element" }>, apart: StoredApart, alias: string): string {
    const list = filter.path.extension === null ? apart.lists[filter.path.attribute.name] : undefined;
    if (list !== undefined) return list(alias, (inner, name) => this.write(filter.part, inner, name));
    const element = `element${++this.lists}`;
    const json = `${alias}.document #> ${jsonPath(filter.path)}`;
    const elements = `jsonb_array_elements(CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json} ELSE '[]' END)`;
    const part = this.write(filter.part, nothingApart, element);
    return `EXISTS (SELECT 1 FROM ${elements} AS ${element}(document) WHERE ${part})`;
  }

  private writeComparison(
    { path, operator, value }: Extract<Filter, { kind: "compare" }>,
    apart: StoredApart,
    alias: string,
  ): string {
    const stored = findValue(path, apart)?.(alias) ?? null;
    const placeholder = this.next();
    if (typeof value === "boolean")
      return stored === null
        ? `(${alias}.document #> ${jsonPath(path)}) = to_jsonb(${placeholder}::boolean)`
        : `${stored} = ${placeholder}::boolean`;
    if (value instanceof Date) return `${stored} ${symbols[operator]} ${placeholder}::timestamptz`;
    const text = stored ?? `(${alias}.document #>> ${jsonPath(path)})`;
    return getLastAttribute(path).caseExact === true
      ? compareText(operator, text, `${placeholder}::text`)
      : compareText(operator, `lower(${text})`, `lower(${placeholder}::text)`);
  }
}

const symbols: Record<Operator, string> = {
  eq: "=",
  gt: ">",
  ge: ">=",
  lt: "<",
  le: "<=",
  co: "=",
  sw: "=",
  ew: "=",
};

function compareText(operator: Operator, stored: string, value: string): string {
  if (operator === "co") return `position(${value} IN ${stored}) > 0`;
  if (operator === "sw") return `starts_with(${stored}, ${value})`;
  if (operator === "ew") return `starts_with(reverse(${stored}), reverse(${value}))`;
  if (operator === "eq") return `${stored} = ${value}`;
  // Clients page by ranges: the order of the bytes is the same on every database.
  return `${stored} COLLATE "C" ${symbols[operator]} ${value}`;
}

const findValue = (path: AttributePath, apart: StoredApart) =>
  path.extension === null ? apart.values[describePath(path)] : undefined;

const describePath = ({ extension, attribute, member }: AttributePath): string =>
  `${extension === null ? "" : `${extension.urn}:`}${attribute.name}${member === null ? "" : `.${member.name}`}`;

/** The place of a value in the document. The names come from the schemas, never from a client. */
function jsonPath({ extension, attribute, member }: AttributePath): string {
  const names = [extension?.urn, attribute.name, member?.name].filter((name) => name !== undefined);
  return `ARRAY[${names.map((name) => `'${name}'`).join(", ")}]`;
}

function collectValues(filter: Filter, values: Value[]): void {
  if (filter.kind === "compare") values.push(filter.value instanceof Date ? filter.value.toISOString() : filter.value);
  else if (filter.kind === "not" || filter.kind === "element") collectValues(filter.part, values);
  else if (filter.kind !== "present") for (const part of filter.parts) collectValues(part, values);
}

/** Filters that differ in values only have the same description. */
function describeFilter(filter: Filter): string {
  switch (filter.kind) {
    case "and":
    case "or":
      return `(${filter.parts.map(describeFilter).join(` ${filter.kind} `)})`;
    case "not":
      return `not ${describeFilter(filter.part)}`;
    case "present":
      return `${describePath(filter.path)} pr`;
    case "element":
      return `${describePath(filter.path)}[${describeFilter(filter.part)}]`;
    case "compare":
      return `${describePath(filter.path)} ${filter.operator} ${typeof filter.value === "boolean" ? "boolean" : "value"}`;
  }
}
