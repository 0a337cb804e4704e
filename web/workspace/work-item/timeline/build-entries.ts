import type { AuditRow, NoteRow } from "../../../queries/record-page.ts";

// The timeline: notes and changes in one order, runs of changes collapsed.

export type TimelineTab = "everything" | "conversation" | "internal" | "changes" | "time";
export const timelineTabs: readonly TimelineTab[] = ["everything", "conversation", "internal", "changes", "time"];

export type Entry =
  | { is: "note"; key: string; at: string; note: NoteRow }
  | { is: "change"; key: string; at: string; change: AuditRow }
  | { is: "fold"; key: string; at: string; until: string; changes: readonly AuditRow[] };

/** Derived or irrelevant values, which are not news on their own. */
const unremarkable = new Set([
  ...["updated_at", "created_at", "new_assignment", "assignment_count", "reopen_count", "resolution_duration"],
  ...["response_target_at", "resolution_target_at", "requester_resolution_target_at", "next_target_at", "completed_at"],
  ...["agile_board_column_position", "product_backlog_position", "reviewed", "source", "sourceID", "organization"],
  ...["provider_was_not_accountable", "grouping", "created_by", "addressed", "automation_rule"],
]);

export const remarkableChanges = (line: AuditRow): [string, readonly [unknown, unknown]][] =>
  Object.entries(line.changes ?? {}).filter(
    ([name, [before, after]]) => !unremarkable.has(name) && (before !== null || after !== null),
  );

export const isRemarkable = (line: AuditRow): boolean =>
  line.action === "create" || (line.action === "update" && remarkableChanges(line).length > 0);

const foldFrom = 3;

export function buildEntries(
  notes: readonly NoteRow[],
  audit: readonly AuditRow[],
  tab: TimelineTab,
  newestFirst: boolean,
): Entry[] {
  const shownNotes = notes.filter(({ internal }) =>
    tab === "conversation" ? internal !== true : tab === "internal" ? internal === true : tab === "everything",
  );
  const [firstNote] = notes;
  // The first note already shows the registration and its author.
  const isSaid = (line: AuditRow) =>
    tab === "everything" && line.action === "create" && firstNote?.created_at === line.created_at;
  const shownChanges =
    tab === "everything" || tab === "changes" ? audit.filter((line) => isRemarkable(line) && !isSaid(line)) : [];
  const entries: Entry[] = [
    ...shownNotes.map((note): Entry => ({ is: "note", key: `note-${note.id}`, at: note.created_at, note })),
    ...shownChanges.map(
      (change): Entry => ({ is: "change", key: `change-${change.id}`, at: change.created_at, change }),
    ),
  ];
  // Moments have no fractions of a second: entries of one save are grouped, the change before its note.
  const rank = (entry: Entry) => (entry.is === "note" ? 1 : 0);
  entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || rank(one) - rank(other));
  const folded = tab === "everything" ? foldRuns(entries) : entries;
  return newestFirst ? folded.reverse() : folded;
}

/** For three or more changes in a row, the first is shown, with the number of further ones. */
function foldRuns(entries: readonly Entry[]): Entry[] {
  const result: Entry[] = [];
  let run: (Entry & { is: "change" })[] = [];
  const flush = () => {
    const [first, ...rest] = run;
    if (first !== undefined) result.push(first);
    const last = rest.at(-1);
    if (rest.length >= foldFrom - 1 && last !== undefined)
      result.push({
        is: "fold",
        key: `fold-${rest[0]?.key}`,
        at: rest[0]?.at ?? last.at,
        until: last.at,
        changes: rest.map(({ change }) => change),
      });
    else result.push(...rest);
    run = [];
  };
  for (const entry of entries)
    if (entry.is === "change") run.push(entry);
    else {
      flush();
      result.push(entry);
    }
  flush();
  return result;
}
