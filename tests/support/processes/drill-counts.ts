import { answerPrefix, type KnownWork } from "./drill-clients.ts";

// Compares a drill's results in the database and at the receiver with the work that clients know to be acknowledged.

export type Query = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;
type ReceivedMessage = { body: { event: string; object_id: number; payload: { audit_line_id: number } } };

/** One line of the report. `lost`, `twice` and `disordered` must be 0. */
export type DrillCount = { what: string; made: number; lost: number; twice: number; disordered: number };

const countValues = (values: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Counts values that should exist once and are missing or duplicate. */
function compare(what: string, wanted: readonly string[], found: readonly string[]): DrillCount {
  const counts = countValues(found);
  const lost = wanted.filter((value) => !counts.has(value)).length;
  const twice = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
  return { what, made: wanted.length, lost, twice, disordered: 0 };
}

const isSorted = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] as number));

export async function countDrill(
  query: Query,
  known: KnownWork,
  messages: readonly ReceivedMessage[],
): Promise<DrillCount[]> {
  const { counts, lines } = await countWrites(query, known);
  return [
    counts,
    await countEvents(query, lines),
    countMessages(lines, messages),
    await countImports(query, known),
    await countTimers(query, known),
    await countRules(query, known),
  ];
}

/** The audit trail contains every acknowledged write of a team once, in its client's order. */
async function countWrites(
  query: Query,
  { teams }: KnownWork,
): Promise<{ counts: DrillCount; lines: readonly number[] }> {
  const rows = await query<{ id: number; team: number; action: string; remarks: string | null }>(
    `SELECT id::integer AS id, record_id AS team, action, changes->'remarks'->>1 AS remarks FROM audit_lines
     WHERE audited = 'team' AND record_id = ANY($1::integer[]) ORDER BY id`,
    [[...teams.keys()]],
  );
  const counts: DrillCount = { what: "acknowledged writes", made: 0, lost: 0, twice: 0, disordered: 0 };
  for (const [team, remarks] of teams) {
    const own = rows.filter((row) => row.team === team);
    const creations = own.filter(({ action }) => action === "create").length;
    const found = own.filter(({ action }) => action === "update").map((row) => row.remarks ?? "");
    const { lost, twice } = compare("", remarks, found);
    counts.made += remarks.length + 1;
    counts.lost += lost + (creations === 0 ? 1 : 0);
    counts.twice += twice + Math.max(0, creations - 1);
    counts.disordered += found.join("\n") === remarks.join("\n") || lost + twice > 0 ? 0 : 1;
  }
  return { counts, lines: rows.map(({ id }) => id) };
}

async function countEvents(query: Query, lines: readonly number[]): Promise<DrillCount> {
  const rows = await query<{ line: string }>(
    "SELECT payload->>'audit_line_id' AS line FROM events WHERE record_type = 'team'",
  );
  return compare(
    "events",
    lines.map(String),
    rows.map(({ line }) => line),
  );
}

/**
 * A message is repeated if its response couldn't be recorded. A record's first arrivals are in the order of its changes, per
 * webhook; here every event has a separate webhook.
 */
function countMessages(lines: readonly number[], messages: readonly ReceivedMessage[]): DrillCount {
  const arrivals = new Map<string, Set<number>>();
  for (const { body } of messages) {
    const key = `${body.event} ${body.object_id}`;
    const own = arrivals.get(key) ?? new Set<number>();
    arrivals.set(key, own.add(body.payload.audit_line_id));
  }
  const received = new Set([...arrivals.values()].flatMap((own) => [...own]));
  const repeated = messages.length - received.size;
  return {
    what: `messages to the receiver (${repeated} repeated)`,
    made: lines.length,
    lost: lines.filter((line) => !received.has(line)).length,
    twice: 0,
    disordered: [...arrivals.values()].filter((own) => !isSorted([...own])).length,
  };
}

async function countImports(query: Query, { imports, unacknowledged }: KnownWork): Promise<DrillCount> {
  const rows = await query<{ name: string }>("SELECT name FROM sites WHERE name LIKE 'Import %'");
  const names = rows.map(({ name }) => name);
  const counts = compare(`rows of ${imports.size} imports`, [...imports.values()].flat(), names);
  const there = new Set(names);
  // An interrupted upload may have been imported completely, but not partially.
  const halves = unacknowledged.filter((own) => {
    const found = own.filter((name) => there.has(name)).length;
    return found !== 0 && found !== own.length;
  });
  const failed = await query<{ message: string }>("SELECT message FROM imports WHERE state <> 'done'");
  return { ...counts, lost: counts.lost + halves.length + failed.length };
}

async function countTimers(query: Query, { waiting }: KnownWork): Promise<DrillCount> {
  const rows = await query<{ id: number }>(
    `SELECT record_id AS id FROM audit_lines WHERE audited = 'request' AND action = 'update' AND changes->'status'->>0 = 'waiting_for'`,
  );
  return compare(
    "timers",
    [...waiting].map(String),
    rows.map(({ id }) => String(id)),
  );
}

async function countRules(query: Query, { notes }: KnownWork): Promise<DrillCount> {
  const rows = await query<{ text: string }>("SELECT text FROM notes WHERE text LIKE $1", [`${answerPrefix}%`]);
  const wanted = [...notes.values()].flat().map((text) => `${answerPrefix}${text}`);
  return compare(
    "runs of rules",
    wanted,
    rows.map(({ text }) => text),
  );
}

/** Formats the report as lines of text. */
export function formatCounts(counts: readonly DrillCount[]): string[] {
  const width = Math.max(...counts.map(({ what }) => what.length));
  const row = (what: string, cells: readonly (string | number)[]) =>
    `${what.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(14)).join("")}`;
  return [
    row("", ["made", "lost", "twice", "out of order"]),
    ...counts.map(({ what, made, lost, twice, disordered }) => row(what, [made, lost, twice, disordered])),
  ];
}
