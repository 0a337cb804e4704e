import type { Types } from "../../../engine/types.ts";
import { unescapeFormula } from "../../cells.ts";
import type { Column } from "../../columns.ts";
import { type ExchangeType, findParents } from "../../exchange-types.ts";
import type { CsvRow } from "../../formats/csv.ts";
import type { RowFile } from "../../row-files/row-file.ts";
import { contactKinds } from "../match-records.ts";
import type { FileKey } from "./duplicate-rows.ts";

// IE24. The keys of a row, by the text of its cells: those by which it finds its record (IE10), and those that are unique.

type ReadCell = (name: string) => string;

export function makeKeyLister(
  types: Types,
  exchangeType: ExchangeType,
  columns: readonly (Column | null)[],
): (row: CsvRow) => FileKey[] {
  const { type } = exchangeType;
  const places = new Map(columns.flatMap((column, index) => (column === null ? [] : [[column.name, index]])));
  const fold = (name: string, text: string) => (type.caseInsensitive.includes(name) ? text.toLowerCase() : text);
  const owners = findParents(types, exchangeType).map(({ field }) => field);
  const build = (read: ReadCell, fields: readonly string[], more: readonly string[] = []): FileKey[] => {
    const texts = fields.map((name) => fold(name, read(name)));
    return texts.includes("") ? [] : [{ field: fields.at(-1) as string, text: JSON.stringify([...more, ...texts]) }];
  };
  return ({ cells }) => {
    if (cells.length !== columns.length) return [];
    const read: ReadCell = (name) => unescapeFormula(cells[places.get(name) ?? -1] ?? "").trim();
    const address = type.name === "contact" ? contactKinds.find((name) => read(name) !== "") : undefined;
    const owner = owners.find((name) => read(name) !== "");
    return [
      ...build(read, ["id"]),
      ...build(read, ["source", "sourceID"]),
      ...type.unique.flatMap((fields) => build(read, fields)),
      ...(address === undefined || owner === undefined ? [] : build(read, [owner, "label"], [address])),
    ];
  };
}

export function makeRowFileKeyLister({ key }: RowFile, names: readonly string[]): (row: CsvRow) => FileKey[] {
  return ({ cells }) => {
    if (key.length === 0 || cells.length !== names.length) return [];
    const texts = key.map((name) => (cells[names.indexOf(name)] ?? "").trim().toLowerCase());
    return [{ field: key.at(-1) as string, text: JSON.stringify(texts) }];
  };
}
