// The tables of the specification and the reference, in a short notation. They were written from those texts alone, so
// that the comparison finds a row missing in a declaration.
//
// A line of `fields` contains names, kind, access and, if they apply, =default and "unselectable" (not in ?fields=;
// "unselectable?" if the texts leave it open). Alternatives are separated by |: Req|Opt; =-|false is no default, or false.

export type Table = {
  /** absent if the type exists only below another */
  collection?: string;
  /** in the order of the source */
  fields?: string;
  /** fields that the source mentions in prose, and additions to another text's table; in no order */
  further?: string;
  /** the default fields of a collection; "*": all; in brackets: optional */
  shown?: string;
  filter?: string;
  /** case-insensitive filters */
  folded?: string;
  sort?: string;
  /** the default order, - for descending; absent if the source has none */
  order?: string;
  views?: string;
  /** sub-resources with their patterns: owned, link or list (read-only); every record has audit */
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
            defaults: parseDefaults(rest.find((word) => word.startsWith("="))),
            selectable: rest.includes("unselectable") ? "no" : rest.includes("unselectable?") ? "either" : "yes",
          }),
        ),
    );
}

const parseDefaults = (word = "=-") =>
  word
    .slice(1)
    .split("|")
    .map((value) => (value === "-" ? null : value));
