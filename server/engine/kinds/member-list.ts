import type { Row } from "../../database/database.ts";
import type { MemberSerializer } from "./kind.ts";

/** The position of each part when the columns of all parts follow each other, the first one at `start`. */
export function layOutMembers(
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

const castToText = (columns: readonly string[]): string => columns.map((column) => `(${column})::text`).join(", ");

/** One row of another table inside a record. `guard`: a column that is null where there is no such row. */
export function serializeOne(record: MemberSerializer, source: string, guard?: string): MemberSerializer {
  const selected = `(SELECT json_build_array(${castToText(record.columns)}) ${source})`;
  return {
    columns: [guard === undefined ? selected : `CASE WHEN ${guard} IS NOT NULL THEN ${selected} END`],
    guard,
    write(row, at, viewer) {
      const text = row[at];
      return text === null || text === undefined ? "null" : record.write(JSON.parse(text) as Row, 0, viewer);
    },
  };
}

/** A list inside a record: PostgreSQL returns rows of the columns, as text, that a single record would have. */
export function serializeList(
  list: readonly MemberSerializer[],
  source: string,
  order: string,
  wrap: (json: string) => string,
): MemberSerializer {
  const { columns, parts } = layOutMembers(list, 0);
  return {
    columns: [`(SELECT json_agg(json_build_array(${castToText(columns)}) ORDER BY ${order}) ${source})`],
    write(row, at, viewer) {
      const text = row[at];
      if (text === null || text === undefined) return "[]";
      const entries = (JSON.parse(text) as Row[]).map((inner) => {
        let json = "";
        for (const { part, at: offset } of parts) json += part.write(inner, offset, viewer);
        return wrap(json);
      });
      return `[${entries.join(",")}]`;
    },
  };
}
