import type { Field } from "../../records/vocabulary/index.ts";
import type { Row } from "../storage/database.ts";
import { linkColumns, referencesTable } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { kindOf } from "./kinds/index.ts";
import type { Viewer } from "./kinds/kind.ts";
import { customFieldsAsArray } from "./kinds/structured.ts";
import type { Rules } from "./rules.ts";
import type { Type, Types } from "./types.ts";

// From columns to JSON. For a type and a choice of fields a shape is made once: the columns to select, the joins they
// need, and a function that writes a row as JSON text. Values go from PostgreSQL's text to JSON text without a detour.

export type Shape = {
  columns: readonly string[];
  joins: readonly string[];
  /** `at` is the index of the shape's first column in the row */
  write(row: Row, at: number, viewer: Viewer): string;
};

/** One member of the JSON object; "" leaves it out. */
type Part = { columns: readonly string[]; write(row: Row, at: number, viewer: Viewer): string };

export type Facts = {
  domain: string;
  accountName(id: string): string;
  signedUri(key: string, viewer: Viewer): string;
};

export const nodeId = (domain: string, type: string, id: string | number): string =>
  Buffer.from(`${domain}/${type}/${id}`).toString("base64url");

export class Output {
  private readonly shapes = new Map<string, Shape>();
  private readonly types: Types;
  private readonly rules: Rules;
  private readonly facts: Facts;

  constructor(types: Types, rules: Rules, facts: Facts) {
    this.types = types;
    this.rules = rules;
    this.facts = facts;
  }

  /** All fields of a single record, or the chosen ones. */
  shape(type: Type, fields: readonly string[] = type.shown): Shape {
    const key = `${type.name}:${fields === type.shown ? "*" : fields.join(",")}`;
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      shape = this.build(type, fields);
      // Callers choose fields: what they make up must not pile up.
      if (this.shapes.size > 2000) this.shapes.clear();
      this.shapes.set(key, shape);
    }
    return shape;
  }

  private build(type: Type, fields: readonly string[]): Shape {
    const joins: string[] = [];
    const parts: { part: Part; at: number }[] = [];
    const columns: string[] = [];
    const add = (part: Part) => {
      parts.push({ part, at: columns.length });
      columns.push(...part.columns);
    };
    add(this.head(type));
    const canBeDisabled = type.fields.disabled !== undefined;
    for (const name of type.shown) {
      if (name === "disabled" && fields.includes(name)) add(disabledPart(true));
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
  private head(type: Type): Part {
    const { domain, accountName } = this.facts;
    if (type.singleton) return { columns: ["a.id"], write: (row, at) => `"id":${JSON.stringify(row[at])}` };
    const prefix = `${domain}/${type.nodeType}/`;
    return {
      columns: ["a.id", "a.account_id"],
      write(row, at, viewer) {
        const id = row[at] as string;
        const account = row[at + 1] as string;
        const head = `"id":${id},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"`;
        return account === viewer.account ? head : `${head},"account":${accountJson(account, accountName)}`;
      },
    };
  }

  private member(type: Type, name: string, joins: string[]): Part {
    const field = type.fields[name] as Field;
    if (field.kind === "subject") return this.subject(type, field);
    const part = this.value(type, name, field, joins);
    const label = `,${JSON.stringify(name)}:`;
    const { omitsBlank } = type;
    if (field.confidential !== undefined) return confidentialPart(field, type, part, label);
    return {
      columns: part.columns,
      write(row, at, viewer) {
        const json = part.write(row, at, viewer);
        return omitsBlank && json === "null" ? "" : label + json;
      },
    };
  }

  private value(type: Type, name: string, field: Field, joins: string[]): Part {
    const column = `a.${quoted(type.columns.get(name) ?? name)}`;
    if (field.computed !== undefined) {
      const compute = this.rules.of(type.name).compute?.[field.computed];
      return {
        columns: ["a.id"],
        write: (row, at, viewer) => JSON.stringify(compute?.(row[at] as string, viewer) ?? null),
      };
    }
    switch (field.kind) {
      case "reference":
        return this.reference(
          this.types.named(field.to),
          joins,
          (alias, target) => `LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}`,
        );
      case "backReference": {
        const target = this.types.named(field.from);
        const back = quoted(target.columns.get(field.field) ?? field.field);
        return this.reference(
          target,
          joins,
          (alias) =>
            `LEFT JOIN LATERAL (SELECT * FROM ${target.table} b WHERE b.${back} = a.id ORDER BY b.id LIMIT 1) ${alias} ON true`,
        );
      }
      case "references":
        return field.plain
          ? plainIds(type, name, this.types.named(field.to))
          : this.references(type, name, this.types.named(field.to));
      case "aggregated":
        return this.aggregated(type, this.types.named(field.of));
      case "attachments":
        return this.attachments(type);
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
        const { write } = kindOf(field);
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

  private reference(target: Type, joins: string[], join: (alias: string, target: Type) => string): Part {
    const alias = `r${joins.length}`;
    joins.push(join(alias, target));
    const { accountName, domain } = this.facts;
    if (target.singleton)
      return {
        columns: [`${alias}.id`, `${alias}.name`],
        write: (row, at) =>
          row[at] === null ? "null" : `{"id":${JSON.stringify(row[at])},"name":${JSON.stringify(row[at + 1])}}`,
      };
    const members = referenceMembers(target);
    const prefix = `${domain}/${target.nodeType}/`;
    return {
      columns: [`${alias}.id`, `${alias}.account_id`, ...members.map((member) => `${alias}.${quoted(member.column)}`)],
      write(row, at, viewer) {
        const id = row[at];
        if (id === null || id === undefined) return "null";
        let json = `{"id":${id}`;
        for (let i = 0; i < members.length; i++) json += (members[i] as ReferenceMember).write(row[at + 2 + i] ?? null);
        const account = row[at + 1] as string;
        if (account !== viewer.account) json += `,"account":${accountJson(account, accountName)}`;
        return `${json},"nodeID":"${Buffer.from(prefix + id).toString("base64url")}"}`;
      },
    };
  }

  /** References inside a list: PostgreSQL hands over arrays of the same columns a single reference has. */
  private references(type: Type, name: string, target: Type): Part {
    const table = quoted(referencesTable(type.name, name));
    const [one, other] = linkColumns(type.name, target.name);
    const members = referenceMembers(target);
    const columns = ["t.id::text", "t.account_id", ...members.map((member) => `t.${quoted(member.column)}::text`)];
    const { accountName, domain } = this.facts;
    return {
      columns: [
        `(SELECT json_agg(json_build_array(${columns.join(", ")}) ORDER BY t.id) FROM ${table} l JOIN ${target.table} t ON t.id = l.${other} WHERE l.${one} = a.id)`,
      ],
      write(row, at, viewer) {
        const text = row[at];
        if (text === null || text === undefined) return "[]";
        const entries = (JSON.parse(text) as Row[]).map((entry) => {
          let json = `{"id":${entry[0]}`;
          members.forEach((member, index) => {
            const value = entry[index + 2] ?? null;
            json += member.write(value === "true" && member.column === "disabled" ? "t" : value);
          });
          const account = entry[1] as string;
          if (account !== viewer.account) json += `,"account":${accountJson(account, accountName)}`;
          return `${json},"nodeID":"${nodeId(domain, target.nodeType, entry[0] as string)}"}`;
        });
        return `[${entries.join(",")}]`;
      },
    };
  }

  private aggregated(type: Type, child: Type): Part {
    const members = child.defaultFields.map((name) => `'${name}', c.${quoted(child.columns.get(name) ?? name)}`);
    const object = `json_build_object(${members.join(", ")})`;
    return {
      columns: [
        `(SELECT json_agg(${child.omitsBlank ? `json_strip_nulls(${object})` : object} ORDER BY c.id) FROM ${child.table} c WHERE c.${type.name}_id = a.id)`,
      ],
      write: (row, at) => row[at] ?? "[]",
    };
  }

  /** A record of whatever type: the member is named after the type, the display name is looked up in its table. */
  private subject(type: Type, field: Extract<Field, { kind: "subject" }>): Part {
    const [typeColumn, idColumn] = [field.type, field.id].map(
      (name) => `a.${quoted(type.columns.get(name) ?? name)}`,
    ) as [string, string];
    const named = this.types.all.filter((target) => !target.singleton && !target.journal && target.display !== "id");
    const names = named.map(
      (target) =>
        `WHEN '${target.name}' THEN (SELECT t.${quoted(target.columns.get(target.display) ?? target.display)} FROM ${target.table} t WHERE t.id = ${idColumn})`,
    );
    return {
      columns: [typeColumn, idColumn, `CASE ${typeColumn} ${names.join(" ")} END`],
      write: (row, at) => {
        const [name, id, display] = [row[at] as string, row[at + 1] as string, row[at + 2]];
        const target = this.types.has(name) ? this.types.named(name) : null;
        if (field.as === "entry")
          return `,"${name}":{"id":${id},"href":"/${target?.collection ?? name}/${id}","display_name":${JSON.stringify(`${id} ${display ?? ""}`.trim())}}`;
        const shown =
          display === null || display === undefined || target === null
            ? ""
            : `,"${target.display}":${JSON.stringify(display)}${target.display === "name" ? "" : `,"name":${JSON.stringify(display)}`}`;
        return `,"${name}":{"id":${id}${shown},"nodeID":"${nodeId(this.facts.domain, target?.nodeType ?? name, id)}"}`;
      },
    };
  }

  private attachments(type: Type): Part {
    const { signedUri } = this.facts;
    return {
      columns: [
        `(SELECT json_agg(json_build_object('name', f.name, 'key', f.key, 'uri', '', 'inline', f.inline, 'size', f.size, 'created_at', f.created_at) ORDER BY f.id) FROM attachments f WHERE f.record_id = a.id AND f.record_type = '${type.name}')`,
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

const accountJson = (id: string, nameOf: (id: string) => string): string =>
  `{"id":${JSON.stringify(id)},"name":${JSON.stringify(nameOf(id))}}`;

type ReferenceMember = { column: string; write(text: string | null): string };

/** The display members of a reference, its sourceID when there is one, and disabled when it is. */
export function referenceMembers(target: Type): ReferenceMember[] {
  const members: ReferenceMember[] = [];
  const show = (column: string, name: string, write: (text: string) => string) =>
    members.push({ column, write: (text) => `,"${name}":${text === null ? "null" : write(text)}` });
  const display = target.fields[target.display] as Field;
  if (target.display !== "id") {
    const column = target.columns.get(target.display) ?? target.display;
    const { write } = kindOf(display);
    show(column, target.display, write);
    if (target.display !== "name") show(column, "name", write);
  }
  for (const name of target.shows)
    show(target.columns.get(name) ?? name, name, kindOf(target.fields[name] as Field).write);
  if ("sourceID" in target.fields)
    members.push({ column: "sourceID", write: (text) => (text === null ? "" : `,"sourceID":${JSON.stringify(text)}`) });
  if ("disabled" in target.fields)
    members.push({ column: "disabled", write: (text) => (text === "t" ? ',"disabled":true' : "") });
  return members;
}

const disabledPart = (always: boolean): Part => ({
  columns: ["a.disabled"],
  write: (row, at) => (row[at] === "t" ? ',"disabled":true' : always ? ',"disabled":false' : ""),
});

/** Shown to some roles and to the people the declaration names; null to everybody else. */
function confidentialPart(field: Field, type: Type, part: Part, label: string): Part {
  const { roles, people } = field.confidential as NonNullable<Field["confidential"]>;
  const columns = people.map((name) => `a.${quoted(type.columns.get(name) ?? name)}`);
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
function plainIds(type: Type, name: string, target: Type): Part {
  const [one, other] = linkColumns(type.name, target.name);
  const table = quoted(referencesTable(type.name, name));
  return {
    columns: [`(SELECT json_agg(l.${other} ORDER BY l.${other}) FROM ${table} l WHERE l.${one} = a.id)`],
    write: (row, at) => row[at] ?? "[]",
  };
}
