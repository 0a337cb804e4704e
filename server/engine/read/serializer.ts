import type { Field } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { getKind } from "../kinds/index.ts";
import type { Joins, MemberSerializer, Reader, SerializeContext } from "../kinds/kind.ts";
import { layOutMembers } from "../kinds/member-list.ts";
import type { Rules } from "../rules.ts";
import type { Type, Types } from "../types.ts";
import { confidentialPart, disabledPart, omitNull } from "./member-parts.ts";

// From columns to JSON. For a type and a selection of fields the serializer is built once: the columns to select, the joins
// they need, and a function that writes a row as JSON text, directly from PostgreSQL's text.

export type RowSerializer = {
  columns: readonly string[];
  joins: readonly string[];
  /** `at` is the index of the first of the columns in the row */
  write(row: Row, at: number, viewer: Reader): string;
  /** A value in one of these columns means a reference to a record that was skipped. */
  leftOut: readonly number[];
};

export type SerializerContext = {
  domain: string;
  accountName(id: string): string;
  signedUri(key: string, viewer: Reader): string;
};

/** Each is a hundred small functions. */
const maxShapes = 800;
/** Of one type: each is a statement that connections keep. */
const maxVariants = 16;

/** `rowsOf`: the table of the rows that a member shows */
export type PlannedMembers = {
  references: readonly string[];
  others: readonly { name: string; rowsOf: string }[];
};

type RowOptions = { hasShared: boolean; isSingle: boolean; without?: ReadonlySet<string> };

export { buildNodeId } from "./node-id.ts";

export class Serializer {
  private readonly cache = new Map<string, RowSerializer>();
  private readonly variants = new Map<Type, Map<string, RowSerializer>>();
  private readonly planned = new Map<Type, PlannedMembers>();
  private readonly types: Types;
  private readonly rules: Rules;
  private readonly context: SerializerContext;

  constructor(types: Types, rules: Rules, context: SerializerContext) {
    this.types = types;
    this.rules = rules;
    this.context = context;
  }

  /** The address of a stored file, for the viewer. */
  signUri(key: string, viewer: Reader): string {
    return this.context.signedUri(key, viewer);
  }

  /** Fields of many records, whose references are joined. `hasShared`: the rows are SharedRows of overlays.ts. */
  forFields(type: Type, fields: readonly string[], hasShared = false): RowSerializer {
    return this.get(type, fields, { hasShared, isSingle: false });
  }

  /**
   * Fields of one record, whose references are selected one by one: most are empty, and then cost nothing. For many records
   * PostgreSQL finds a better way to join them (D-498).
   */
  forRecord(type: Type, fields: readonly string[] = type.detailFields, hasShared = false): RowSerializer {
    return this.get(type, fields, { hasShared, isSingle: true });
  }

  /** The same for a record that has none of these; null: there are enough variants of the type. */
  forRecordWithout(type: Type, empty: readonly string[], key = empty.join()): RowSerializer | null {
    const variants = this.variants.get(type) ?? new Map<string, RowSerializer>();
    this.variants.set(type, variants);
    const known = variants.get(key);
    if (known !== undefined || variants.size >= maxVariants) return known ?? null;
    const built = this.build(type, type.detailFields, { hasShared: false, isSingle: true, without: new Set(empty) });
    variants.set(key, built);
    return built;
  }

  /**
   * The members of a single record that cost a plan of their own: references that are set or not, and those that show rows of
   * another table.
   */
  listPlannedMembers(type: Type): PlannedMembers {
    let planned = this.planned.get(type);
    if (planned === undefined) {
      const shown = new Set([...type.detailFields, ...type.serialize.includeIfPresent]);
      const parts = [...shown].map((name) => ({ name, ...this.member(type, name, null) }));
      planned = {
        references: parts.filter(({ guard }) => guard !== undefined).map(({ name }) => name),
        others: parts.flatMap(({ name, guard, rowsOf }) =>
          guard === undefined && rowsOf !== undefined ? [{ name, rowsOf }] : [],
        ),
      };
      this.planned.set(type, planned);
    }
    return planned;
  }

  private get(type: Type, fields: readonly string[], options: RowOptions): RowSerializer {
    const kind = `${options.hasShared ? " shared" : ""}${options.isSingle ? " single" : ""}`;
    const key = `${type.name}${kind}:${fields === type.detailFields ? "*" : fields.join(",")}`;
    let shape = this.cache.get(key);
    if (shape === undefined) {
      shape = this.build(type, fields, options);
      // Callers choose fields, so the number of combinations is limited.
      if (this.cache.size >= maxShapes) this.cache.clear();
      this.cache.set(key, shape);
    }
    return shape;
  }

  /** The values of some fields of a row `a`, each on its own; `account` is the column with the row's account. */
  forValues(
    type: Type,
    fields: readonly string[],
    account: string,
  ): { joins: readonly string[]; parts: readonly MemberSerializer[] } {
    const joins: string[] = [];
    const parts = fields.map((name) => this.value(type, name, type.fields[name] as Field, joins, "a", account));
    return { joins, parts };
  }

  private build(type: Type, fields: readonly string[], options: RowOptions): RowSerializer {
    const { hasShared, isSingle, without } = options;
    const joins = isSingle ? null : [];
    const parts: { part: MemberSerializer; at: number }[] = [];
    const columns: string[] = [];
    const leftOut: number[] = [];
    const account = hasShared ? "a.home_account_id" : `a.${type.accountColumn}`;
    const add = (part: MemberSerializer, name?: string) => {
      parts.push({ part, at: columns.length });
      if (name === undefined || !without?.has(name)) columns.push(...part.columns);
      else {
        // If a value decides, a hook may have set it after all; rows of another table are known to be absent.
        if (part.guard !== undefined) leftOut.push(columns.length);
        columns.push(part.guard ?? "NULL", ...part.columns.slice(1).map(() => "NULL"));
      }
    };
    add(this.head(type, account));
    const canBeDisabled = type.fields.disabled !== undefined;
    const leavesOut = (name: string) =>
      type.serialize.includeIfPresent.includes(name) ||
      (fields !== type.detailFields && fields.includes(name) && type.serialize.omitFromListsIfBlank.includes(name));
    for (const name of type.outputFields) {
      if (name === "disabled" && fields.includes(name)) add(disabledPart(true));
      else if (leavesOut(name)) add(omitNull(this.member(type, name, joins, "a", account)), name);
      else if (name !== "id" && name !== "disabled" && fields.includes(name))
        add(this.member(type, name, joins, "a", account), name);
    }
    // A disabled record shows that it is disabled also where the field is not selected.
    if (canBeDisabled && !fields.includes("disabled")) add(disabledPart(type.serialize.showsDisabled === "always"));
    if (type.deletion.archivable !== null)
      add({ columns: ["a.life_cycle"], write: (row, at) => (row[at] === "active" ? "" : `,"${row[at]}":true`) });
    return {
      columns,
      joins: joins ?? [],
      leftOut,
      write(row, at, viewer) {
        let json = "{";
        for (const { part, at: offset } of parts) json += part.write(row, at + offset, viewer);
        return `${json}}`;
      },
    };
  }

  /** id and nodeID, and the account when it is another than that of the call. */
  private head(type: Type, accountColumn: string): MemberSerializer {
    const { domain, accountName } = this.context;
    if (type.routes.singleton) return { columns: ["a.id"], write: (row, at) => `"id":${JSON.stringify(row[at])}` };
    const prefix = `${domain}/${type.nodeType}/`;
    const hasAccountField = "account" in type.fields;
    return {
      columns: ["a.id", accountColumn],
      write(row, at, viewer) {
        const id = row[at] as string;
        const account = row[at + 1] as string;
        const head = `"id":${id},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"`;
        return hasAccountField || account === viewer.account
          ? head
          : `${head},"account":${buildAccountJson(account, accountName)}`;
      },
    };
  }

  /** A member with its name; `from` is the alias of the row. */
  private member(type: Type, name: string, joins: Joins, from = "a", account?: string): MemberSerializer {
    const field = type.fields[name] as Field;
    const { namesMember, omitsNull } = getKind(field);
    const part = this.value(type, name, field, joins, from, account);
    if (namesMember) return part;
    const label = `,${JSON.stringify(name)}:`;
    const leavesOutNull = type.serialize.omitBlankMembers || omitsNull;
    if (field.confidential !== undefined) return confidentialPart(field, type, part, label, from);
    return {
      columns: part.columns,
      guard: part.guard,
      rowsOf: part.rowsOf,
      write(row, at, viewer) {
        const json = part.write(row, at, viewer);
        return leavesOutNull && json === "null" ? "" : label + json;
      },
    };
  }

  /** `account`: the column with the account that the row lives with */
  private value(
    type: Type,
    name: string,
    field: Field,
    joins: Joins,
    from: string,
    account = `${from}.${type.accountColumn}`,
  ): MemberSerializer {
    if (field.fallsBackTo !== undefined)
      return this.value(type, field.fallsBackTo, type.fields[field.fallsBackTo] as Field, joins, from, account);
    if (field.computed !== undefined) return this.computed(type, field.computed, from);
    const column = `${from}.${quoteIdentifier(type.columns.get(name) ?? name)}`;
    const { serialize, write } = getKind(field);
    if (serialize !== undefined) {
      const { types, serializeReference, serializeMember } = this;
      const { domain, signedUri } = this.context;
      const row = { type, name, field, from, column, account, joins };
      return serialize({ ...row, types, domain, signedUri, serializeReference, serializeMember });
    }
    return {
      columns: [column],
      write(row, at) {
        const text = row[at];
        return text === null || text === undefined ? "null" : write(text);
      },
    };
  }

  private readonly serializeReference: SerializeContext["serializeReference"] = (target, alias, joins) =>
    this.reference(target, alias, joins);
  private readonly serializeMember: SerializeContext["serializeMember"] = (type, name, joins, from) =>
    this.member(type, name, joins, from);

  /** A value that a rule computes: by SQL, from other columns, or from the id. */
  private computed(type: Type, rule: string, from: string): MemberSerializer {
    const compute = this.rules.forType(type.name).compute?.[rule];
    if (typeof compute === "object" && "sql" in compute)
      return {
        columns: [`(${compute.sql(from)})::text`],
        write: (row, at, viewer) => (compute.isVisibleTo(viewer.roles) ? (row[at] ?? "null") : "null"),
      };
    if (typeof compute === "object")
      return {
        columns: compute.fields.map((other) => `${from}.${quoteIdentifier(type.columns.get(other) ?? other)}`),
        write: (row, at, viewer) =>
          JSON.stringify(compute.compute(row.slice(at, at + compute.fields.length) as (string | null)[], viewer)),
      };
    return {
      columns: [`${from}.id`],
      write: (row, at, viewer) => JSON.stringify(compute?.(row[at] as string, viewer) ?? null),
    };
  }

  /** The joined row of that alias as a reference; null when there is none. */
  private reference(target: Type, alias: string, joins: string[]): MemberSerializer {
    const { accountName, domain } = this.context;
    if (target.routes.singleton)
      return {
        columns: [`${alias}.id`, `${alias}.name`],
        write: (row, at) =>
          row[at] === null ? "null" : `{"id":${JSON.stringify(row[at])},"name":${JSON.stringify(row[at + 1])}}`,
      };
    const { columns, parts } = layOutMembers(this.referenceMembers(target, alias, joins), 2);
    const prefix = `${domain}/${target.nodeType}/`;
    const writeReference = (row: Row, at: number, viewer: Reader): string => {
      const id = row[at] as string;
      let json = `{"id":${id}`;
      for (const { part, at: offset } of parts) json += part.write(row, at + offset, viewer);
      const account = row[at + 1] as string;
      if (account !== viewer.account) json += `,"account":${buildAccountJson(account, accountName)}`;
      return `${json},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"}`;
    };
    const width = columns.length + 2;
    // Neighbours in a list often refer to the same record: the requests of a team to their team.
    let last: { row: Row; at: number; viewer: Reader; json: string } | null = null;
    return {
      columns: [`${alias}.id`, `${alias}.account_id`, ...columns],
      write(row, at, viewer) {
        if (row[at] == null) return "null";
        if (last === null || last.viewer !== viewer || !hasSameColumns(last.row, last.at, row, at, width))
          last = { row, at, viewer, json: writeReference(row, at, viewer) };
        return last.json;
      },
    };
  }

  /** The display members of a reference, what else it shows, its sourceID when there is one, and disabled when it is. */
  private referenceMembers(target: Type, alias: string, joins: string[]): MemberSerializer[] {
    const members: MemberSerializer[] = [];
    const show = (name: string, label = name) => {
      const part = this.value(target, name, target.fields[name] as Field, joins, alias);
      members.push({
        columns: part.columns,
        write: (row, at, viewer) => `,"${label}":${part.write(row, at, viewer)}`,
      });
    };
    if (target.display !== "id") show(target.display);
    if (target.display !== "id" && target.display !== "name") show(target.display, "name");
    for (const name of target.serialize.referenceFields) show(name);
    if ("sourceID" in target.fields)
      members.push({
        columns: [`${alias}."sourceID"`],
        write: (row, at) => (row[at] == null ? "" : `,"sourceID":${JSON.stringify(row[at])}`),
      });
    if ("disabled" in target.fields)
      members.push({
        columns: [`${alias}.disabled`],
        write: (row, at) => (row[at]?.startsWith("t") ? ',"disabled":true' : ""),
      });
    return members;
  }
}

function hasSameColumns(one: Row, oneAt: number, other: Row, otherAt: number, count: number): boolean {
  for (let index = 0; index < count; index++) if (one[oneAt + index] !== other[otherAt + index]) return false;
  return true;
}

const buildAccountJson = (id: string, getName: (id: string) => string): string =>
  `{"id":${JSON.stringify(id)},"name":${JSON.stringify(getName(id))}}`;
