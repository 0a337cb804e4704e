import { type Row, type Statement, statement } from "../database/database.ts";
import { parseIds, parseNumberOrNull } from "../database/rows.ts";
import type { Engine } from "../engine/engine.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { SequencePosition, type SnapshotLimits } from "./sequence-position.ts";

// Reads what was changed from the rows that commit with every change: audit lines, and notes, which have none.

export type LoggedChange = {
  account: string;
  type: string;
  id: number;
  kind: "create" | "update" | "note" | "delete";
  fields: readonly string[];
  by: number | null;
  at: string;
  /** the note of kind "note" */
  note: number | null;
  /** people and teams that the record belonged to before or belongs to since */
  people: readonly number[];
  teams: readonly number[];
};

/** Written as "<audit line>-<note>". */
export type LogPosition = { line: number; note: number };

export const formatPosition = ({ line, note }: LogPosition): string => `${line}-${note}`;

export function parsePosition(text: string): LogPosition | null {
  const match = /^(\d{1,10})-(\d{1,10})$/.exec(text);
  const [line, note] = match === null ? [Number.NaN, Number.NaN] : [Number(match[1]), Number(match[2])];
  return line < 2 ** 31 && note < 2 ** 31 ? { line, note } : null;
}

const pageSize = 2000;
/** fields whose values are ids of people */
const personFields = ["member", "approver", "assignee", "person"];

export class ChangeLog {
  private readonly engine: Engine;
  private lines = new SequencePosition(0);
  private notes = new SequencePosition(0);
  private readonly selectChanges: Statement;

  constructor(engine: Engine) {
    this.engine = engine;
    this.selectChanges = statement(buildSelectChanges(engine));
  }

  get position(): LogPosition {
    return { line: this.lines.settled, note: this.notes.settled };
  }

  /** Begins at the end of the log, with the ids that transactions in progress have taken. */
  async moveToEnd(): Promise<void> {
    const [row = []] = await this.engine.database.read(selectEnd);
    const limits = parseLimits(row);
    const begin = (ids: readonly number[]) => {
      const position = new SequencePosition(Math.min(...ids, Number.POSITIVE_INFINITY) - 1);
      if (ids.length === 0) return new SequencePosition(0);
      position.advance(ids, limits);
      return position;
    };
    this.lines = begin(parseIds(row[2]));
    this.notes = begin(parseIds(row[3]));
  }

  /** The changes that were committed since the last call. */
  async readNew(): Promise<LoggedChange[]> {
    const changes: LoggedChange[] = [];
    for (;;) {
      const { lines, notes } = this;
      const rows = await this.select({ line: lines.highest, note: notes.highest }, lines.missingIds, notes.missingIds);
      const [limitRow, ...found] = rows as [Row, ...Row[]];
      const limits = parseLimits(limitRow);
      const ofLog = (log: string) => found.filter((row) => row[0] === log);
      const fresh = {
        line: lines.advance(
          ofLog("line").map((row) => Number(row[1])),
          limits,
        ),
        note: notes.advance(
          ofLog("note").map((row) => Number(row[1])),
          limits,
        ),
      };
      changes.push(
        ...found.filter((row) => fresh[row[0] as "line" | "note"].has(Number(row[1]))).flatMap(parseChanges),
      );
      if (ofLog("line").length < pageSize && ofLog("note").length < pageSize) return changes;
    }
  }

  /** The changes after a position; null if that is too long ago, or too many. */
  async readSince(from: LogPosition, notBefore: Date): Promise<LoggedChange[] | null> {
    if (from.line > this.lines.highest || from.note > this.notes.highest) return null;
    const [, ...found] = await this.select(from, [], []);
    if (found.filter((row) => row[0] === "line").length === pageSize) return null;
    if (found.filter((row) => row[0] === "note").length === pageSize) return null;
    const changes = found.flatMap(parseChanges);
    return changes.some(({ at }) => new Date(at) < notBefore) ? null : changes;
  }

  private select(from: LogPosition, lines: readonly number[], notes: readonly number[]): Promise<Row[]> {
    return this.engine.database.read(this.selectChanges, [from.line, lines, from.note, notes]);
  }
}

const limitColumns = "pg_snapshot_xmin(pg_current_snapshot())::text, pg_snapshot_xmax(pg_current_snapshot())::text";
const selectEnd = statement(
  `SELECT ${limitColumns},
  (SELECT json_agg(id) FROM (SELECT id FROM audit_lines ORDER BY id DESC LIMIT 1000) l),
  (SELECT json_agg(id) FROM (SELECT id FROM notes ORDER BY id DESC LIMIT 1000) n)`,
);
const parseLimits = (row: Row): SnapshotLimits => ({
  oldest: BigInt(row[0] as string),
  next: BigInt(row[1] as string),
});

/** One statement, so that all rows and the limits are of one snapshot. The first row holds the limits. */
function buildSelectChanges(engine: Engine): string {
  const { owners, table } = engine.types.get("note");
  const columns = owners.map(({ column }) => `n.${quoteIdentifier(column)}`);
  const parentType = owners.map(({ type }, at) => `WHEN ${columns[at]} IS NOT NULL THEN '${type.name}'`).join(" ");
  const line = `'line', l.id::text, l.account_id, l.audited, l.record_id::text, l.action, l.created_by_id::text, to_json(l.created_at) #>> '{}',
    (SELECT json_agg(k)::text FROM jsonb_object_keys(l.changes) k), NULL,
    jsonb_build_array(${personFields.map((name) => `l.changes -> '${name}'`).join(", ")})::text, (l.changes -> 'team')::text,
    CASE WHEN l.audited = 'broadcast_translation' THEN (SELECT t.broadcast_id::text FROM broadcast_translations t WHERE t.id = l.record_id AND t.account_id = l.account_id) END`;
  const note = `'note', n.id::text, n.account_id, CASE ${parentType} END, coalesce(${columns.join(", ")})::text, 'note', n.person_id::text,
    to_json(n.created_at) #>> '{}', NULL, n.id::text, NULL, NULL, NULL`;
  return `SELECT ${limitColumns}${", NULL".repeat(11)}
UNION ALL (SELECT ${line} FROM audit_lines l WHERE l.id > $1 ORDER BY l.id LIMIT ${pageSize})
UNION ALL SELECT ${line} FROM audit_lines l WHERE l.id = ANY($2::integer[])
UNION ALL (SELECT ${note} FROM ${table} n WHERE n.id > $3 ORDER BY n.id LIMIT ${pageSize})
UNION ALL SELECT ${note} FROM ${table} n WHERE n.id = ANY($4::integer[])`;
}

const kinds: Record<string, LoggedChange["kind"]> = { create: "create", destroy: "delete", note: "note" };

/** A translation changes what readers of its broadcast see, and those know the broadcast alone. */
function parseChanges(row: Row): LoggedChange[] {
  const [change, broadcast] = [parseChange(row), row[12]];
  if (broadcast === null || broadcast === undefined) return [change];
  return [change, { ...change, type: "broadcast", id: Number(broadcast), kind: "update", fields: ["message"] }];
}

function parseChange(row: Row): LoggedChange {
  const [, , account, type, id, action, by, at, fields, note, people, teams] = row;
  return {
    account: account as string,
    type: type as string,
    id: Number(id),
    kind: kinds[action as string] ?? "update",
    fields: JSON.parse(fields ?? "[]") as string[],
    by: parseNumberOrNull(by),
    at: at as string,
    note: parseNumberOrNull(note),
    people: collectIds(JSON.parse(people ?? "[]")),
    teams: collectIds(JSON.parse(teams ?? "[]")),
  };
}

/** The numbers in values before and after a change. */
const collectIds = (value: unknown): number[] =>
  Array.isArray(value) ? value.flatMap(collectIds) : typeof value === "number" ? [value] : [];
