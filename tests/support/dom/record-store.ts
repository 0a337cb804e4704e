import { register } from "../../../records/index.ts";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ListPart, type PageCall, type Records, Refusal } from "./answers.ts";
import { aRecord, toReference } from "./record.ts";

// Serves a component test's records under the standard paths of their types, like the REST API.

type Row = { readonly id: number } & Readonly<Record<string, unknown>>;

const notParameters = ["fields", "sort", "per_page", "page", "search_after", "search_before"];

export class RecordStore {
  private readonly rows = new Map<string, Row[]>();

  constructor(records: Records) {
    for (const [name, rows] of Object.entries(records)) this.rows.set(name, [...rows] as Row[]);
  }

  /** Returns undefined if the test has no records of that type. */
  answer({ method, path, query, body: sent }: PageCall): unknown {
    const body = { ...(sent as object | undefined) }; // pages send objects
    const [, collection = "", word, ...more] = path.split("/");
    const type = register.find((each) => each.collection === collection);
    const rows = type === undefined ? undefined : this.rows.get(type.name);
    if (type === undefined || rows === undefined || more.length > 0) return undefined;
    if (method === "POST" && word === undefined) return this.create(type, rows, body);
    if (method === "GET" && !/^\d+$/.test(word ?? "")) return this.list(rows, query);
    const at = rows.findIndex(({ id }) => String(id) === word);
    const found = rows[at];
    if (found === undefined) return new Refusal(404, { message: "Not found" });
    if (method === "GET") return found;
    if (method === "DELETE") return rows.splice(at, 1)[0];
    if (method !== "PATCH") return undefined;
    const changed = { ...found, ...this.resolve(type, body) };
    rows[at] = changed;
    return changed;
  }

  private create(type: RecordType, rows: Row[], body: Readonly<Record<string, unknown>>): unknown {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
    // The page's body has the type's fields.
    const created = { ...(aRecord(type.name as never, { id } as never) as Row), ...this.resolve(type, body) };
    rows.push(created);
    return created;
  }

  /** Bodies contain record IDs; responses contain references. */
  private resolve(type: RecordType, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const find = (name: string, id: unknown) => {
      const found = this.rows.get(name)?.find((row) => row.id === Number(id));
      return found === undefined ? { id: Number(id), name: `${name} ${id}` } : toReference(found);
    };
    return Object.fromEntries(
      Object.entries(body).map(([member, value]) => {
        const name = member.replace(/_id$/, "");
        const field = type.fields[name];
        if (name === member || field?.kind !== "reference") return [member, value];
        return [name, value === null || value === "" ? null : find(field.to, value)];
      }),
    );
  }

  /** Filters compare values. Parameters without a field, such as a view, don't filter. */
  private list(rows: readonly Row[], query: Readonly<Record<string, string>>): ListPart<Row> {
    const filters = Object.entries(query).filter(([name]) => !notParameters.includes(name));
    const pickValue = (row: Row, name: string): unknown => {
      const value = row[name] ?? row[name.replace(/_id$/, "")];
      return typeof value === "object" && value !== null && "id" in value ? value.id : value;
    };
    const isMeant = (row: Row) =>
      filters.every(([name, wanted]) => {
        const value = pickValue(row, name);
        return value === undefined || wanted.split(",").includes(String(value));
      });
    const meant = rows.filter(isMeant);
    return new ListPart(meant.slice(0, Number(query.per_page ?? 25)), meant.length);
  }
}
