import type { Field } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../storage/database.ts";
import { linkColumns, referencesTable } from "../../storage/schema/derive.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import { getKind } from "../kinds/index.ts";
import type { Reader } from "../kinds/kind.ts";
import { listRecurrenceMembers } from "../kinds/recurrence.ts";
import { customFieldsAsArray } from "../kinds/structured.ts";
import type { Rules } from "../rules.ts";
import type { Type, Types } from "../types.ts";

// From columns to JSON. For a type and a choice of fields a shape is made once: the columns to select, the joins they
// need, and a function that writes a row as JSON text. Values go from PostgreSQL's text to JSON text without a detour.

export type RowSerializer = {
  columns: readonly string[];
  joins: readonly string[];
  /** `at` is the index of the shape's first column in the row */
  write(row: Row, at: number, viewer: Reader): string;
};

/** One member of the JSON object; "" leaves it out. */
type MemberSerializer = { columns: readonly string[]; write(row: Row, at: number, viewer: Reader): string };

export type SerializerContext = {
  domain: string;
  accountName(id: string): string;
  signedUri(key: string, viewer: Reader): string;
};

export const buildNodeId = (domain: string, type: string, id: string | number): string =>
  Buffer.from(`${domain}/${type}/${id}`).toString("base64url");

export class Serializer {
  private readonly cache = new Map<string, RowSerializer>();
  private readonly types: Types;
  private readonly rules: Rules;
  private readonly context: SerializerContext;

  constructor(types: Types, rules: Rules, facts: SerializerContext) {
    this.types = types;
    this.rules = rules;
    this.context = facts;
  }

  /** All fields of a single record, or the chosen ones. `inSight`: rows come as server/engine/sides.ts tells. */
  forFields(type: Type, fields: readonly string[] = type.detailFields, inSight = false): RowSerializer {
    const key = `${type.name}${inSight ? " in sight" : ""}:${fields === type.detailFields ? "*" : fields.join(",")}`;
    let shape = this.cache.get(key);
    if (shape === undefined) {
      shape = this.build(type, fields, inSight);
      // Callers choose fields: what they make up must not pile up.
      if (this.cache.size > 2000) this.cache.clear();
      this.cache.set(key, shape);
    }
    return shape;
  }

  private build(type: Type, fields: readonly string[], inSight: boolean): RowSerializer {
    const joins: string[] = [];
    const parts: { part: MemberSerializer; at: number }[] = [];
    const columns: string[] = [];
    const add = (part: MemberSerializer) => {
      parts.push({ part, at: columns.length });
      columns.push(...part.columns);
    };
    add(this.head(type, inSight ? "a.home_account_id" : "a.account_id"));
    const canBeDisabled = type.fields.disabled !== undefined;
    const leavesOut = (name: string) =>
      type.includeIfPresent.includes(name) ||
      (fields !== type.detailFields && fields.includes(name) && type.omitFromListsIfBlank.includes(name));
    for (const name of type.outputFields) {
      if (name === "disabled" && fields.includes(name)) add(disabledPart(true));
      else if (leavesOut(name)) add(omitNull(this.member(type, name, joins)));
      else if (name !== "id" && name !== "disabled" && fields.includes(name)) add(this.member(type, name, joins));
    }
    // A disabled record says so even when nobody asked.
    if (canBeDisabled && !fields.includes("disabled")) add(disabledPart(type.showsDisabled === "always"));
    if (type.archivable !== null)
      add({ columns: ["a.life_cycle"], write: (row, at) => (row[at] === "active" ? "" : `,"${row[at]}":true`) });
    return {
      columns,
      joins,
      write(row, at, viewer) {
        let json = "{";
        for (const { part, at: offset } of parts) json += part.write(row, at + offset, viewer);
        return `${json}}`;
      },
    };
  }

  /** id and nodeID, and the account when it is another than that of the call. */
  private head(type: Type, home: string): MemberSerializer {
    const { domain, accountName } = this.context;
    if (type.singleton) return { columns: ["a.id"], write: (row, at) => `"id":${JSON.stringify(row[at])}` };
    const prefix = `${domain}/${type.nodeType}/`;
    const tellsItself = "account" in type.fields;
    return {
      columns: ["a.id", home],
      write(row, at, viewer) {
        const id = row[at] as string;
        const account = row[at + 1] as string;
        const head = `"id":${id},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"`;
        return tellsItself || account === viewer.account
          ? head
          : `${head},"account":${buildAccountJson(account, accountName)}`;
      },
    };
  }

  /** `from` is the row the value belongs to: `a`, or one inside a list. */
  private member(type: Type, name: string, joins: string[], from = "a"): MemberSerializer {
    const field = type.fields[name] as Field;
    if (field.kind === "subject") return this.subject(type, field);
    const part = this.value(type, name, field, joins, from);
    const label = `,${JSON.stringify(name)}:`;
    // What never comes again has no recurrence to show.
    const omitsBlank = type.omitBlankMembers || field.kind === "recurrence";
    if (field.confidential !== undefined) return confidentialPart(field, type, part, label, from);
    return {
      columns: part.columns,
      write(row, at, viewer) {
        const json = part.write(row, at, viewer);
        return omitsBlank && json === "null" ? "" : label + json;
      },
    };
  }

  private value(type: Type, name: string, field: Field, joins: string[], from: string): MemberSerializer {
    if (field.fallsBackTo !== undefined)
      return this.value(type, field.fallsBackTo, type.fields[field.fallsBackTo] as Field, joins, from);
    const column = `${from}.${quoteIdentifier(type.columns.get(name) ?? name)}`;
    if (field.computed !== undefined) {
      const compute = this.rules.forType(type.name).compute?.[field.computed];
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
    switch (field.kind) {
      case "reference": {
        const part = this.referenceBy(field.to, column, joins);
        return field.or === undefined ? part : firstFound(part, this.referenceBy(field.or, column, joins));
      }
      case "code": {
        const alias = nextAlias(joins);
        joins.push(`LEFT JOIN ${this.types.get(field.to).table} ${alias} ON ${alias}.id = ${column}`);
        return {
          columns: [`${alias}.reference`],
          write: (row, at) => (row[at] === null || row[at] === undefined ? "null" : JSON.stringify(row[at])),
        };
      }
      case "backReference": {
        const target = this.types.get(field.from);
        const back = quoteIdentifier(target.columns.get(field.field) ?? field.field);
        return this.firstOf(target, `b.${back} = ${from}.id`, joins);
      }
      case "extension": {
        const target = this.types.get("ui_extension");
        const version = quoteIdentifier(target.columns.get("active_version") ?? "active_version_id");
        const applies = `b.category = '${field.category.replaceAll("'", "''")}' AND b.disabled IS NOT TRUE AND b.${version} IS NOT NULL`;
        return this.firstOf(target, `b.account_id = ${from}.${type.accountColumn} AND ${applies}`, joins);
      }
      case "references":
        return field.plain
          ? plainIdsPart(type, name, this.types.get(field.to), from)
          : this.references(type, name, this.types.get(field.to), from);
      case "aggregated":
        return this.aggregated(type, this.types.get(field.of), from);
      case "attachments":
        return this.attachments(type, from);
      case "download": {
        const { signedUri } = this.context;
        return {
          columns: [`${from}.${quoteIdentifier(type.columns.get(field.of) ?? field.of)}`],
          write: (row, at, viewer) => (row[at] == null ? "null" : JSON.stringify(signedUri(row[at], viewer))),
        };
      }
      case "recurrence":
        return this.recurrence(field, column, joins);
      case "strings":
        return { columns: [`to_json(${column})`], write: (row, at) => row[at] ?? "null" };
      case "customFields":
        return {
          columns: [column],
          write(row, at, viewer) {
            const json = row[at];
            if (json === null || json === undefined) return "null";
            return viewer.customFieldsAsArray ? customFieldsAsArray(json) : json;
          },
        };
      case "target":
        // Instants are held in UTC; PostgreSQL turns them into the zone of the caller.
        return {
          columns: [
            `CASE WHEN ${column} LIKE '____-%' THEN to_json(${column}::timestamptz)::text ELSE to_json(${column})::text END`,
          ],
          write: (row, at) => row[at] ?? "null",
        };
      default: {
        const { write } = getKind(field);
        return {
          columns: [column],
          write(row, at) {
            const text = row[at];
            return text === null || text === undefined ? "null" : write(text);
          },
        };
      }
    }
  }

  private referenceBy(to: string, column: string, joins: string[]): MemberSerializer {
    const target = this.types.get(to);
    const alias = nextAlias(joins);
    joins.push(`LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}`);
    return this.reference(target, alias, joins);
  }

  /** The first record of a type that meets a condition, as a reference. */
  private firstOf(target: Type, condition: string, joins: string[]): MemberSerializer {
    const alias = nextAlias(joins);
    joins.push(
      `LEFT JOIN LATERAL (SELECT * FROM ${target.table} b WHERE ${condition} ORDER BY b.id LIMIT 1) ${alias} ON true`,
    );
    return this.reference(target, alias, joins);
  }

  /** The joined row of that alias as a reference; null when there is none. */
  private reference(target: Type, alias: string, joins: string[]): MemberSerializer {
    const { accountName, domain } = this.context;
    if (target.singleton)
      return {
        columns: [`${alias}.id`, `${alias}.name`],
        write: (row, at) =>
          row[at] === null ? "null" : `{"id":${JSON.stringify(row[at])},"name":${JSON.stringify(row[at + 1])}}`,
      };
    const { columns, parts } = layOutMembers(this.referenceMembers(target, alias, joins), 2);
    const prefix = `${domain}/${target.nodeType}/`;
    return {
      columns: [`${alias}.id`, `${alias}.account_id`, ...columns],
      write(row, at, viewer) {
        const id = row[at];
        if (id === null || id === undefined) return "null";
        let json = `{"id":${id}`;
        for (const { part, at: offset } of parts) json += part.write(row, at + offset, viewer);
        const account = row[at + 1] as string;
        if (account !== viewer.account) json += `,"account":${buildAccountJson(account, accountName)}`;
        return `${json},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"}`;
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
    for (const name of target.referenceFields) show(name);
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

  private references(type: Type, name: string, target: Type, from: string): MemberSerializer {
    const link = type.links[name];
    const [one, other] = linkColumns(type.name, target.name);
    const joins: string[] = [];
    const part = this.reference(target, "t", joins);
    const joined = joins.join(" ");
    return listPart(
      [part],
      link !== undefined && "by" in link
        ? `FROM ${target.table} t ${joined} WHERE t.${quoteIdentifier(target.columns.get(link.by) as string)} = ${from}.id`
        : `FROM ${quoteIdentifier(referencesTable(type.name, name))} l JOIN ${target.table} t ON t.id = l.${other} ${joined} WHERE l.${one} = ${from}.id`,
      "t.id",
      (json) => json,
    );
  }

  /** The children of a record with their default fields, as they show themselves. */
  private aggregated(type: Type, child: Type, from: string): MemberSerializer {
    const joins: string[] = [];
    const parts = child.defaultFields.map((name) => this.member(child, name, joins, "c"));
    return listPart(
      parts,
      `FROM ${child.table} c ${joins.join(" ")} WHERE c.${type.name}_id = ${from}.id`,
      "c.id",
      (json) => `{${json.slice(1)}}`,
    );
  }

  /** What was written, what the service keeps beside it, and the records both name. */
  private recurrence(field: Extract<Field, { kind: "recurrence" }>, column: string, joins: string[]): MemberSerializer {
    const members = listRecurrenceMembers(field);
    const none: MemberSerializer = { columns: [], write: () => "null" };
    const instant = (member: string): MemberSerializer => ({
      columns: [`to_json((${column}->>'${member}')::timestamptz)::text`],
      write: (row, at) => row[at] ?? "null",
    });
    const named = (member: string, to: string): MemberSerializer =>
      this.types.has(to) ? this.referenceBy(to, `(${column}->>'${member}_id')::integer`, joins) : none;
    const special: Record<string, () => MemberSerializer> = {
      calendar: () => named("calendar", "calendar"),
      last_occurrence_object: () => named("last_occurrence_object", "workflow"),
      next_occurrence_at: () => instant("next_occurrence_at"),
      last_occurrence_at: () => instant("last_occurrence_at"),
    };
    const own = members.filter((member) => member in special);
    const { columns, parts } = layOutMembers(
      own.map((member) => (special[member] as () => MemberSerializer)()),
      1,
    );
    return {
      columns: [column, ...columns],
      write(row, at, viewer) {
        const text = row[at];
        if (text === null || text === undefined) return "null";
        const kept = JSON.parse(text) as Record<string, unknown>;
        const written = members.map((member) => {
          const place = parts[own.indexOf(member)];
          const json = place?.part.write(row, at + place.at, viewer) ?? JSON.stringify(kept[member] ?? null);
          return `"${member}":${json}`;
        });
        return `{${written.join(",")}}`;
      },
    };
  }

  /** A record of whatever type: the member is named after the type, the display name is looked up in its table. */
  private subject(type: Type, field: Extract<Field, { kind: "subject" }>): MemberSerializer {
    const [typeColumn, idColumn] = [field.type, field.id].map(
      (name) => `a.${quoteIdentifier(type.columns.get(name) ?? name)}`,
    ) as [string, string];
    const named = this.types.all.filter((target) => !target.singleton && !target.journal && target.display !== "id");
    const names = named.map(
      (target) =>
        `WHEN '${target.name}' THEN (SELECT t.${quoteIdentifier(target.columns.get(target.display) ?? target.display)} FROM ${target.table} t WHERE t.id = ${idColumn})`,
    );
    return {
      columns: [typeColumn, idColumn, `CASE ${typeColumn} ${names.join(" ")} END`],
      write: (row, at) => {
        const [name, id, display] = [row[at] as string, row[at + 1] as string, row[at + 2]];
        const target = this.types.has(name) ? this.types.get(name) : null;
        if (field.as === "entry")
          return `,"${name}":{"id":${id},"href":"/${target?.collection ?? name}/${id}","display_name":${JSON.stringify(`${id} ${display ?? ""}`.trim())}}`;
        const shown =
          display === null || display === undefined || target === null
            ? ""
            : `,"${target.display}":${JSON.stringify(display)}${target.display === "name" ? "" : `,"name":${JSON.stringify(display)}`}`;
        return `,"${name}":{"id":${id}${shown},"nodeID":"${buildNodeId(this.context.domain, target?.nodeType ?? name, id)}"}`;
      },
    };
  }

  private attachments(type: Type, from: string): MemberSerializer {
    const { signedUri } = this.context;
    return {
      columns: [
        `(SELECT json_agg(json_build_object('name', f.name, 'key', f.key, 'uri', '', 'inline', f.inline, 'size', f.size, 'created_at', f.created_at) ORDER BY f.id) FROM attachments f WHERE f.record_id = ${from}.id AND f.record_type = '${type.name}')`,
      ],
      write(row, at, viewer) {
        const text = row[at];
        if (text === null || text === undefined) return "[]";
        const list = JSON.parse(text) as { key: string; uri: string }[];
        for (const entry of list) entry.uri = signedUri(entry.key, viewer);
        return JSON.stringify(list);
      },
    };
  }
}

const buildAccountJson = (id: string, nameOf: (id: string) => string): string =>
  `{"id":${JSON.stringify(id)},"name":${JSON.stringify(nameOf(id))}}`;

/** Joins are made in the order they are needed, so their number is their name. */
const nextAlias = (joins: readonly string[]): string => `r${joins.length}`;

/** Parts side by side, the first one at `start`. */
function layOutMembers(
  list: readonly MemberSerializer[],
  start: number,
): { columns: string[]; parts: { part: MemberSerializer; at: number }[] } {
  const columns: string[] = [];
  const parts = list.map((part) => {
    const at = start + columns.length;
    columns.push(...part.columns);
    return { part, at };
  });
  return { columns, parts };
}

/** Of two references by the same id at most one is found. */
const firstFound = (one: MemberSerializer, other: MemberSerializer): MemberSerializer => ({
  columns: [...one.columns, ...other.columns],
  write(row, at, viewer) {
    const json = one.write(row, at, viewer);
    return json === "null" ? other.write(row, at + one.columns.length, viewer) : json;
  },
});

/** A list inside a record: PostgreSQL hands over rows of the same columns, as text, that a single record would have. */
function listPart(
  list: readonly MemberSerializer[],
  source: string,
  order: string,
  entry: (json: string) => string,
): MemberSerializer {
  const { columns, parts } = layOutMembers(list, 0);
  const texts = columns.map((column) => `(${column})::text`);
  return {
    columns: [`(SELECT json_agg(json_build_array(${texts.join(", ")}) ORDER BY ${order}) ${source})`],
    write(row, at, viewer) {
      const text = row[at];
      if (text === null || text === undefined) return "[]";
      const entries = (JSON.parse(text) as Row[]).map((inner) => {
        let json = "";
        for (const { part, at: offset } of parts) json += part.write(inner, offset, viewer);
        return entry(json);
      });
      return `[${entries.join(",")}]`;
    },
  };
}

const omitNull = (part: MemberSerializer): MemberSerializer => ({
  columns: part.columns,
  write(row, at, viewer) {
    const json = part.write(row, at, viewer);
    return json.endsWith(":null") ? "" : json;
  },
});

const disabledPart = (always: boolean): MemberSerializer => ({
  columns: ["a.disabled"],
  write: (row, at) => (row[at] === "t" ? ',"disabled":true' : always ? ',"disabled":false' : ""),
});

/** Shown to some roles and to the people the declaration names; null to everybody else. */
function confidentialPart(
  field: Field,
  type: Type,
  part: MemberSerializer,
  label: string,
  from: string,
): MemberSerializer {
  const { roles, people } = field.confidential as NonNullable<Field["confidential"]>;
  const columns = people.map((name) => `${from}.${quoteIdentifier(type.columns.get(name) ?? name)}`);
  return {
    columns: [...columns, ...part.columns],
    write(row, at, viewer) {
      const me = String(viewer.person);
      const visible =
        roles.some((role) => viewer.roles.has(role)) || columns.some((_, index) => row[at + index] === me);
      return label + (visible ? part.write(row, at + columns.length, viewer) : "null");
    },
  };
}

/** A list of references shown as ids alone. */
function plainIdsPart(type: Type, name: string, target: Type, from: string): MemberSerializer {
  const [one, other] = linkColumns(type.name, target.name);
  const table = quoteIdentifier(referencesTable(type.name, name));
  return {
    columns: [`(SELECT json_agg(l.${other} ORDER BY l.${other}) FROM ${table} l WHERE l.${one} = ${from}.id)`],
    write: (row, at) => row[at] ?? "[]",
  };
}
