import type { Field } from "../../../records/vocabulary/index.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { MemberSerializer } from "../kinds/kind.ts";
import type { Type } from "../types.ts";

// Members that are not always shown.

export const omitNull = (part: MemberSerializer): MemberSerializer => ({
  columns: part.columns,
  guard: part.guard,
  rowsOf: part.rowsOf,
  write(row, at, viewer) {
    const json = part.write(row, at, viewer);
    return json.endsWith(":null") ? "" : json;
  },
});

export const disabledPart = (always: boolean): MemberSerializer => ({
  columns: ["a.disabled"],
  write: (row, at) => (row[at] === "t" ? ',"disabled":true' : always ? ',"disabled":false' : ""),
});

/** The value for the roles and people that the declaration names; null for all others. */
export function confidentialPart(
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
    ...(columns.length === 0 ? { guard: part.guard, rowsOf: part.rowsOf } : {}),
    write(row, at, viewer) {
      const me = String(viewer.person);
      const visible =
        roles.some((role) => viewer.roles.has(role)) || columns.some((_, index) => row[at + index] === me);
      return label + (visible ? part.write(row, at + columns.length, viewer) : "null");
    },
  };
}
