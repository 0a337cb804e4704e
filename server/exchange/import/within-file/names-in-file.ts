import { Invalid, type Problem } from "../../../base/errors.ts";
import { unescapeFormula } from "../../cells.ts";
import type { Column } from "../../columns.ts";
import type { ExchangeType } from "../../exchange-types.ts";
import type { CsvRow } from "../../formats/csv.ts";
import { getNaturalKeyFields } from "../../natural-keys.ts";
import { isReferenceField, splitReferenceLines } from "../row-to-body.ts";

// The names by which rows of a file refer to records that other rows of it create.

/** Names are compared without case: what they mean exactly is decided when the rows are saved. */
export type FileNames = {
  /** the columns in which a row has its own name */
  ownColumns: readonly number[];
  /** the names of the record of a row */
  listOwn(row: CsvRow): string[];
  /** the records of its own type that a row names, by field */
  listReferences(row: CsvRow): { field: string; name: string }[];
};

export function describeNames({
  exchangeType: { type },
  columns,
}: {
  exchangeType: ExchangeType;
  columns: readonly (Column | null)[];
}): FileNames | null {
  const indexes = columns.map((_, index) => index);
  const keyFields = getNaturalKeyFields(type);
  const ownColumns = indexes.filter((index) => keyFields.includes(columns[index]?.name ?? ""));
  const references = indexes.flatMap((index) => {
    const { name, field } = columns[index] ?? {};
    return name !== undefined && field !== undefined && isReferenceField(field) && field.to === type.name
      ? [{ index, name, field }]
      : [];
  });
  if (ownColumns.length === 0 || references.length === 0) return null;
  const normalize = (text: string) => unescapeFormula(text).trim().toLowerCase();
  return {
    ownColumns,
    listOwn: ({ cells }) => ownColumns.map((index) => normalize(cells[index] ?? "")).filter((name) => name !== ""),
    listReferences: ({ cells }) =>
      references.flatMap(({ index, name, field }) =>
        splitReferenceLines(field, unescapeFormula(cells[index] ?? "")).map((line) => ({
          ...{ field: name, name: line.toLowerCase() },
        })),
      ),
  };
}

export const refersToRefusedRow = "names row {row}, which was refused";

/** A failure that names the refused row to which a row refers, instead of an unknown record. */
export function nameRefusedRow(
  names: FileNames,
  row: CsvRow,
  failure: Invalid,
  refused: ReadonlyMap<string, number>,
): Invalid {
  const references = names.listReferences(row);
  return new Invalid(
    failure.problems.map((problem): Problem => {
      const [field, , values] = problem;
      const found = references.find(({ field: other, name }) => other === field && refused.has(name));
      const line = found === undefined ? undefined : refused.get(found.name);
      return line === undefined || values?.lookup !== "unknown" ? problem : [field, refersToRefusedRow, { row: line }];
    }),
  );
}
