import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { exportProgress } from "../../../records/answers/exchange.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { writeDatetime } from "../../engine/kinds/time.ts";
import { addJob } from "../../queue/jobs.ts";
import { buildDownloadUrl, createToken, type Exchange, retentionSeconds } from "../exchange-context.ts";
import type { ExchangeType } from "../exchange-types.ts";
import { defineJobTable, makeStatusLoader } from "../job-status.ts";
import type { RowFile } from "../row-files/row-file.ts";
import { buildExportFilter, buildFilteredStatement } from "./export-filter.ts";

// IE14 to IE19. Queues exports and reports their progress.

export const exportJob = "export";

/** The content of one file of an export. */
export type ExportSubject = ExchangeType | RowFile;
export const isRowFile = (subject: ExportSubject): subject is RowFile => "buildSelect" in subject;

export type ExportOptions = {
  subjects: readonly ExportSubject[];
  format: "csv" | "xlsx";
  lineSeparator: "lf" | "crlf";
  since: Date | null;
};

const insert = statement(
  `INSERT INTO exports (account_id, token, person_id, types, format, line_separator, changed_since, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8) RETURNING id`,
);
const deleteOldExports = statement(
  "DELETE FROM exports WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '30 days'",
);

/** Null: nothing has changed since `since`. */
export async function queueExport(
  { engine, wake }: Exchange,
  by: Caller,
  { subjects, format, lineSeparator, since }: ExportOptions,
): Promise<string | null> {
  if (since !== null) {
    const hasChanges = await Promise.all(
      subjects.map(async (subject) => {
        if (isRowFile(subject)) return true; // its rows do not say when they changed
        const query = buildFilteredStatement(
          buildExportFilter(engine, by, subject, since),
          (where) => `SELECT 1 FROM ${subject.type.ownTable} a WHERE ${where} LIMIT 1`,
        );
        return (await engine.database.readMany(query.statement, query.values, by)).length > 0;
      }),
    );
    if (!hasChanges.includes(true)) return null;
  }
  const token = createToken();
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    tx.send(deleteOldExports, [by.account, now.toISOString()]);
    const [row] = await tx.query(insert, [
      ...[by.account, token, by.person],
      subjects.map(({ name: word }) => word),
      ...[format, lineSeparator, since?.toISOString() ?? null, toTimestamp(now)],
    ]);
    addJob(tx, { kind: exportJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
    tx.afterCommit(wake);
  });
  return token;
}

// biome-ignore format: a list keeps its lines
const columns = [
  "id", "account_id", "token", "person_id", "types", "format", "line_separator", "since", "state", "type", "line", "file",
  "exceeded", "finished_at", "expires_at",
] as const;
export const exportsTable = defineJobTable("exports", columns, {
  types: "to_json(types)",
  since: "extract(epoch FROM changed_since)",
  expires_at: `date_trunc('second', finished_at) + interval '${retentionSeconds} seconds'`,
});
export type ExportJob = ReturnType<typeof exportsTable.of>;

export const loadExportState = makeStatusLoader<ExportJob, AnswerOf<typeof exportProgress>>(exportsTable, {
  running: ({ type, line }) => ({ type, line: Number(line) }),
  ended: (exchange, by, { file, exceeded, expires_at }, finished) =>
    file === null
      ? { ...(exceeded === null ? {} : { rate_limit_exceeded: exceeded }) }
      : {
          url: buildDownloadUrl(exchange, by.origin, file, finished),
          expires_at: JSON.parse(writeDatetime(expires_at)),
        },
});
