import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { timeSuggestion } from "../../../records/answers/timesheets.ts";
import { statement } from "../../database/database.ts";
import { parseRecords, parseText, parseWord } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { list } from "../../engine/list.ts";
import { originTypes } from "../../rules/time/time-entry-origin.ts";
import { addDays } from "../../rules/time/timesheet-settings.ts";
import type { Period } from "../timesheets.ts";

// D-430: what the caller did and has no time for yet: notes written and statuses changed, by record and day.

const mostSuggestions = 8;
const minutesOfStep = 10;
const increment = 5;

const noteSources = originTypes.map(
  (type) =>
    `SELECT '${type}' AS type, n.${type}_id AS id, n.created_at, true AS is_note FROM notes n
WHERE n.account_id = $1 AND n.person_id = $2 AND n.created_at >= $3::date AND n.created_at < $4::date AND n.${type}_id IS NOT NULL`,
);
const isRegistered = originTypes
  .map(
    (type) =>
      `(s.type = '${type}' AND EXISTS (SELECT 1 FROM time_entries e WHERE e.${type}_id = s.id AND e.account_id = $1 AND e.person_id = $2
  AND e.date = s.day AND NOT e.deleted AND e.life_cycle <> 'trashed'))`,
  )
  .join(" OR ");
/** $1 account, $2 person, $3 first day, $4 day after the last; days are those of the caller, whose zone the connection has */
const selectSteps = statement(
  `SELECT s.type, s.id, s.day, s.notes, s.changes FROM (
  SELECT d.type, d.id, d.created_at::date AS day, count(*) FILTER (WHERE d.is_note) AS notes, count(*) FILTER (WHERE NOT d.is_note) AS changes
  FROM (${noteSources.join(" UNION ALL ")}
    UNION ALL SELECT l.audited, l.record_id, l.created_at, false FROM audit_lines l
    WHERE l.account_id = $1 AND l.created_by_id = $2 AND l.created_at >= $3::date AND l.created_at < $4::date
      AND l.audited = ANY($5::text[]) AND l.changes ? 'status') d
  GROUP BY d.type, d.id, d.created_at::date) s
WHERE NOT (${isRegistered}) ORDER BY s.day DESC, s.notes + s.changes DESC, s.id LIMIT $6`,
);

type TimeSuggestion = AnswerOf<typeof timeSuggestion>;

export async function suggestTime(engine: Engine, by: Caller, [from, until]: Period): Promise<TimeSuggestion[]> {
  const values = [by.account, by.person, from, addDays(until, 1), [...originTypes], mostSuggestions];
  const rows = await engine.database.readMany(selectSteps, values, by, "high");
  const steps = rows.map(([type, id, date, notes, changes]) => ({
    type: parseWord(originTypes, type),
    id: Number(id),
    date: parseText(date),
    notes: Number(notes),
    changes: Number(changes),
  }));
  const subjects = await loadSubjects(engine, by, steps);
  return steps.flatMap(({ type, id, date, notes, changes }) => {
    const subject = subjects.get(`${type} ${id}`);
    const minutes = Math.ceil(((notes + changes) * minutesOfStep) / increment) * increment;
    return subject === undefined ? [] : [{ type, record: { id, subject }, date, notes, changes, minutes }];
  });
}

/** Of the records that the caller may still read. */
async function loadSubjects(
  engine: Engine,
  by: Caller,
  steps: readonly { type: string; id: number }[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await Promise.all(
    [...new Set(steps.map(({ type }) => type))].map(async (name) => {
      const ids = [...new Set(steps.filter(({ type }) => type === name).map(({ id }) => id))];
      const filters = [{ name: "id", value: ids.join(",") }];
      const query = { views: [], fields: ["subject"], filters, sort: null, perPage: ids.length };
      const { records } = await list(engine, by, engine.types.get(name), {
        ...{ ...query, page: null, after: null, before: null },
      });
      for (const { id, subject } of parseRecords<{ id: number; subject: string }>(records))
        found.set(`${name} ${id}`, subject);
    }),
  );
  return found;
}
