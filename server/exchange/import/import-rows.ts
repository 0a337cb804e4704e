import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { fileRow } from "../../../records/answers/imports.ts";
import { fieldLabel, formatMessage } from "../../../records/languages/index.ts";
import { Forbidden, Invalid, NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";
import type { ImportJob } from "./imports.ts";
import type { RowResult } from "./save-rows.ts";

// The outcome of a file's rows: the data that a page shows of them, and that an undo needs.

const insertRows = statement(
  `INSERT INTO import_rows (account_id, import_id, line, state, record_id, cells, shown, errors, message, former, links)
SELECT $1, $2, * FROM unnest($3::integer[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])`,
);

export type RowCounts = { created: number; updated: number; unchanged: number; failures: number; errors: number };
type StoredRow = {
  line: number;
  state: "new" | "changed" | "refused" | "waiting";
  id: number | null;
  cells: string | null;
  shown: string | null;
  errors: string | null;
  message: string | null;
  former: string | null;
  links: string | null;
};

const noDetails = { id: null, shown: null, errors: null, message: null, former: null, links: null };

const write = (value: object | undefined): string | null =>
  value === undefined || Object.keys(value).length === 0 ? null : JSON.stringify(value);

/** Stores the rows that a page shows or an undo needs; `onFault` is called for rows on which the service failed. */
export function storeRows(
  tx: Pick<Transaction, "send">,
  job: ImportJob,
  results: readonly RowResult[],
  { language, translateError, onFault }: RowWords,
): RowCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, failures: 0, errors: 0 };
  const isCheck = job.dry_run === "t";
  const rows: StoredRow[] = [];
  for (const result of results) {
    const cells = JSON.stringify(result.cells);
    if ("waits" in result) {
      rows.push({ ...noDetails, line: result.line, state: "waiting", cells });
      continue;
    }
    if ("failure" in result) {
      const error = translateError(result.failure);
      const problems = describeProblems(error, language);
      if (problems === null) onFault(result.line, error);
      counts[problems === null ? "errors" : "failures"]++;
      const given: RowProblem[] = problems ?? [["base", "the row failed for a reason of ours"]];
      const message = given.map(([field, text]) =>
        field === "base" ? text : `${fieldLabel(language, field)} ${text}`,
      );
      const texts = { errors: JSON.stringify(given), message: message.join("; ").replace(/\s+/g, " ") };
      rows.push({ ...noDetails, line: result.line, state: "refused", cells, ...texts });
      continue;
    }
    counts[result.outcome]++;
    const { saved } = result;
    if (result.outcome === "unchanged" || saved == null) continue;
    rows.push({
      line: result.line,
      state: result.outcome === "created" ? "new" : "changed",
      id: isCheck && result.outcome === "created" ? null : saved.id,
      cells: isCheck ? cells : null,
      shown: isCheck ? write(result.shown) : null,
      errors: null,
      message: null,
      former: isCheck ? null : write(saved.former),
      links: isCheck ? null : write(saved.links),
    });
  }
  if (rows.length > 0)
    tx.send(insertRows, [
      ...[job.account_id, job.id],
      ...(["line", "state", "id", "cells", "shown", "errors", "message", "former", "links"] as const).map((name) =>
        rows.map((row) => row[name]),
      ),
    ] as never);
  return counts;
}

export type RowWords = {
  language: string;
  translateError(error: unknown): unknown;
  onFault(line: number, error: unknown): void;
};

export type ListedRow = AnswerOf<typeof fileRow>;
/** A third text where the cell names no record (`unknown`) or several (`ambiguous`). */
type RowProblem = ListedRow["errors"][number];

const lookups = ["unknown", "ambiguous"] as const;

/** The errors of the API; null: the row is not at fault. */
export const describeRefusal = (error: unknown, language: string): [string, string][] | null =>
  describeProblems(error, language)?.map(([field, text]) => [field, text]) ?? null;

function describeProblems(error: unknown, language: string): RowProblem[] | null {
  if (error instanceof Forbidden) return [["base", "Forbidden"]];
  if (error instanceof NotFound) return [["base", "Not Found"]];
  if (!(error instanceof Invalid)) return null;
  return error.problems.map(([field, text, values]): RowProblem => {
    const message = formatMessage(language, text, values);
    const lookup = lookups.find((each) => each === values?.lookup);
    return lookup === undefined ? [field, message] : [field, message, lookup];
  });
}

const selectRows = jsonStatement<ListedRow>(
  `SELECT line, state, record_id, cells::json AS cells, coalesce(shown, '{}')::json AS shown, coalesce(errors, '[]')::json AS errors
FROM import_rows WHERE import_id = $1 AND state = $2 AND line > $3 ORDER BY line LIMIT $4::integer`,
);

/** Rows of a file in their order, behind a line. */
export const loadRows = (
  engine: Engine,
  wanted: { id: number; state: ListedRow["state"]; after: number; limit: number },
): Promise<ListedRow[]> =>
  queryRows(engine.database, selectRows, [wanted.id, wanted.state, wanted.after, wanted.limit]);
