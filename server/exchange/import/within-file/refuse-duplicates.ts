import { Invalid } from "../../../base/errors.ts";
import type { RowSaver } from "../row-saver.ts";
import type { DuplicateRows } from "./duplicate-rows.ts";

/** Refuses the rows that were found, and saves the others. */
export const refuseDuplicates = (saver: RowSaver, duplicates: DuplicateRows): RowSaver => ({
  ...saver,
  async saveRows(engine, by, tx, rows, references) {
    const distinct = rows.filter(({ line }) => !duplicates.has(line));
    const saved = await saver.saveRows(engine, by, tx, distinct, references);
    const byLine = new Map(saved.map((result) => [result.line, result]));
    return rows.map(({ line, cells }) => {
      const problem = duplicates.get(line);
      return byLine.get(line) ?? { line, cells, failure: new Invalid(problem === undefined ? [] : [problem]) };
    });
  },
});
