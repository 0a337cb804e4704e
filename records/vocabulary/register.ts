import type { Fields } from "./fields.ts";
import type { TypedRecord } from "./record.ts";

// The compiler's view of a register: a list of record types that name each other.

/** The record types of a list, by name. */
export type TypesByName<List extends readonly TypedRecord[]> = { [T in List[number] as T["name"]]: T };

/** The types that fields refer to. */
type ReferencedByFields<F extends Fields> = {
  [N in keyof F]: F[N] extends { kind: "reference"; to: infer T; or: infer O }
    ? T | O
    : F[N] extends { kind: "reference" | "references" | "code"; to: infer T }
      ? T
      : F[N] extends { kind: "backReference"; from: infer T }
        ? T
        : F[N] extends { kind: "aggregated"; of: infer T }
          ? T
          : never;
}[keyof F];

/** The names that record types mention in fields, parents, children, links and lists, and that are not among them. */
export type UnknownTypeNames<Types extends Readonly<Record<string, TypedRecord>>> = Exclude<
  {
    [N in keyof Types]: ReferencedByFields<Types[N]["fields"]> | NonNullable<Types[N]["relatedTypes"]>;
  }[keyof Types],
  keyof Types
>;

/** Compiles for `never` alone; the error names the unexpected types. */
export type AssertNone<Unexpected extends never> = Unexpected;
