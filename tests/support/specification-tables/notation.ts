// The tables of the specification and the reference, in a short notation. They are written from those texts alone, so
// that a row that a declaration lost is seen.
//
// A line of `fields` is: names, kind, access, and where they apply =default and "unselectable" (not in ?fields=;
// "unselectable?" where the texts leave it open). What the texts allow side by side stands side by side: Req|Opt; =-|false
// is a default of false, or none.

export type Table = {
  /** none: the type exists only below another */
  collection?: string;
  /** in the order of the source */
  fields?: string;
  /** fields that the source names in prose, and those added to the table of another text: no order */
  further?: string;
  /** the default fields of a collection; "*": all; in brackets: may be there */
  shown?: string;
  filter?: string;
  /** filters that do not regard case */
  folded?: string;
  sort?: string;
  /** the default order, - for descending; none: the source names none */
  order?: string;
  views?: string;
  /** sub-resources, each with its pattern: owned, link or list (read only); audit is below every record */
  below?: string;
  events?: string;
};
export type Tables = Record<string, Table>;

export type Row = {
  name: string;
  kinds: readonly string[];
  access: readonly string[];
  defaults: readonly (string | null)[];
  selectable: "yes" | "no" | "either";
};

export const splitWords = (list = ""): string[] => list.split(/\s+/).filter((word) => word !== "");

export function parseRows(text = ""): Row[] {
  return text
    .split("\n")
    .map((line) => splitWords(line))
    .flatMap(([names = "", kinds = "", access = "", ...rest]) =>
      names
        .split(",")
        .filter((name) => name !== "")
        .map(
          (name): Row => ({
            name,
            kinds: kinds.split("|"),
            access: access.split("|"),
            defaults: defaults(rest.find((word) => word.startsWith("="))),
            selectable: rest.includes("unselectable") ? "no" : rest.includes("unselectable?") ? "either" : "yes",
          }),
        ),
    );
}

const defaults = (word = "=-") =>
  word
    .slice(1)
    .split("|")
    .map((value) => (value === "-" ? null : value));
