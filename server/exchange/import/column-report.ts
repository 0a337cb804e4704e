import type { Column } from "../columns.ts";
import type { CsvRow } from "../formats/csv.ts";

/** How one column of a file is read. */
export type ReadColumn = {
  header: string;
  /** null: it is skipped */
  field: string | null;
  /** the header is the name of a field, or of a column that is always skipped */
  known: boolean;
  samples: string[];
  filled: number;
};

const maxSamples = 3;
const maxSampleLength = 60;

/** Reports how the columns of a file are read, with their first values and how many rows have one. */
export class ColumnReport {
  readonly columns: ReadColumn[];

  constructor(headers: readonly string[], columns: readonly (Column | null)[], unknown: readonly string[]) {
    this.columns = headers.map((header, index) => ({
      header,
      field: columns[index]?.name ?? null,
      known: !unknown.includes(header),
      samples: [],
      filled: 0,
    }));
  }

  add(rows: readonly CsvRow[]): void {
    for (const { cells } of rows)
      this.columns.forEach((column, index) => {
        const cell = cells[index]?.trim() ?? "";
        if (cell === "") return;
        column.filled++;
        const sample = cell.slice(0, maxSampleLength);
        if (column.samples.length < maxSamples && !column.samples.includes(sample)) column.samples.push(sample);
      });
  }
}
