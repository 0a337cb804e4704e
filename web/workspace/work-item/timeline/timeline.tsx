import { type ReactElement, type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api/index.ts";
import { t } from "../../../languages/index.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { type RecordNames, useRecordNames } from "../../../queries/record-names.ts";
import {
  type AuditRow,
  type NoteRow,
  useNotes,
  usePageAudit,
  useSettled,
  useTeamMembers,
  useTimeEntries,
} from "../../../queries/record-page.ts";
import type { Reference } from "../../../queries/reference.ts";
import { useVoteMarks } from "../../task/vote-marks.tsx";
import type { PageParts } from "../page-parts.ts";
import { getReference } from "../page-parts.ts";
import { buildEntries, type TimelineTab } from "./build-entries.ts";
import { ChangeLine, FoldedChanges } from "./change-line.tsx";
import { collectKnown, collectUnknown } from "./describe-change.tsx";
import { NoteEntry } from "./note-entry.tsx";
import { NoteReactions, useReactions } from "./reactions.tsx";
import { TimeEntries } from "./time-entries.tsx";
import { countEntries, TimelineBar, useTimelineOrder, useTimelineTab } from "./timeline-bar.tsx";
import type { RevertChange } from "./use-revert-change.ts";

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** a phone's tabs leave the others out */
  only?: TimelineTab;
  /** unsent notes */
  pending?: readonly ReactElement[];
  /** undoes an earlier change; null: the reader has no permission */
  revertChange?: RevertChange | null;
};

export function Timeline({ type, row, parts, only, pending = [], revertChange = null }: Props) {
  const id = String(row.id);
  const [chosen, setChosen] = useTimelineTab();
  const tab = only ?? chosen;
  const [order, setOrder] = useTimelineOrder();
  const notes = useNotes(type, id);
  const audit = usePageAudit(type, id, true);
  const late = useSettled("late");
  const time = useTimeEntries(type, id, late || tab === "time");
  const allNotes = notes.data?.notes ?? [];
  const names = useNames(type, row, notes.data?.notes, audit.data);
  const roles = useRoles(row, parts, late);
  const reactions = useReactions(type, id, allNotes, late);
  const voteOf = useVoteMarks(type, row);
  const entries = buildEntries(allNotes, audit.data ?? [], tab, order === "newest");
  const end = useRef<HTMLSpanElement>(null);
  const isLoading = notes.data === undefined && notes.error === null;
  const isLoaded = notes.data !== undefined && audit.data !== undefined;
  useScrollToNote(isLoaded, end, order === "oldest", pending.at(-1)?.key ?? null, parts.startsAtTop === true);
  const isFeed = entries.length > 0 || pending.length > 0;
  const showNote = (note: NoteRow, at: number) => (
    <NoteEntry
      note={note}
      role={roles.roleOf(note.person)}
      byRequester={roles.isRequester(note.person)}
      position={at + 1}
      size={entries.length}
      isSent={parts.requester !== null}
      mark={voteOf(note)}
    >
      {reactions !== null && <NoteReactions note={note} reactions={reactions} />}
    </NoteEntry>
  );
  return (
    <section className="timeline" aria-label={t("request.timeline")}>
      {only === undefined && (
        <TimelineBar
          {...{ type, parts, tab, order }}
          counts={countEntries(allNotes, audit.data ?? [], time.data ?? [])}
          onTab={setChosen}
          onOrder={setOrder}
        />
      )}
      {notes.error !== null && <ErrorPanel error={notes.error} retry={() => void notes.refetch()} />}
      {tab === "time" ? (
        <TimeEntries entries={time.data ?? []} />
      ) : (
        <div
          className="feed"
          {...(isFeed ? { role: "feed", "aria-label": t(`request.tab.${tab}`), "aria-busy": notes.isFetching } : {})}
        >
          {order === "newest" && pending}
          {isLoading && <SkeletonRows rows={5} />}
          {entries.map((entry, at) => (
            <RowBoundary key={entry.key} row={entry} frame={putIntoArticle}>
              {() =>
                entry.is === "note" ? (
                  showNote(entry.note, at)
                ) : entry.is === "change" ? (
                  <ChangeLine type={type} change={entry.change} names={names} revertChange={revertChange} />
                ) : (
                  <FoldedChanges
                    {...{ type, names, revertChange }}
                    changes={entry.changes}
                    at={entry.at}
                    until={entry.until}
                  />
                )
              }
            </RowBoundary>
          ))}
          {order === "oldest" && pending}
          <span ref={end} />
          {!isFeed && !isLoading && notes.error === null && <EmptyState title={t(`request.empty.${tab}`)} />}
        </div>
      )}
    </section>
  );
}

/** The names of records mentioned in changes: known ones, and the others as they are loaded. */
function useNames(
  type: RecordType,
  row: Row,
  notes: readonly NoteRow[] = noNotes,
  audit: readonly AuditRow[] = noAudit,
): RecordNames {
  const known = useMemo(() => collectKnown(row, notes, audit, type), [row, notes, audit, type]);
  const loaded = useRecordNames(useMemo(() => collectUnknown(type, audit, known), [type, audit, known]));
  return useMemo(() => new Map([...known, ...loaded]), [known, loaded]);
}
const noNotes: readonly NoteRow[] = [];
const noAudit: readonly AuditRow[] = [];

/** Which authors are the requester, and which are members of the team. */
function useRoles(row: Row, parts: PageParts, isEnabled: boolean) {
  const members = useTeamMembers(getReference(row, "team"), isEnabled);
  const requesters = [parts.requester, "requested_by"].flatMap((field) =>
    field === null ? [] : (getReference(row, field)?.id ?? []),
  );
  const isRequester = (person: Reference | null) => person !== null && requesters.includes(person.id);
  const roleOf = (person: Reference | null): string => {
    if (isRequester(person)) return t("request.note.requester");
    const isMember = members.data?.some((member) => member.id === person?.id) ?? false;
    return isMember ? (getReference(row, "team")?.name ?? "") : "";
  };
  return { isRequester, roleOf };
}

const putIntoArticle = (notice: ReactNode) => <article>{notice}</article>;

/** Scrolls to the newest entry, or to the note in the address (`#note-12`). */
function useScrollToNote(
  isLoaded: boolean,
  end: RefObject<HTMLElement | null>,
  isNewestLast: boolean,
  lastPending: string | null,
  startsAtTop: boolean,
): void {
  useEffect(() => {
    if (!isLoaded) return;
    if (/^#note-\d+$/.test(location.hash)) {
      const note = document.getElementById(location.hash.slice(1));
      note?.scrollIntoView({ block: "center" });
      note?.focus({ preventScroll: true });
    } else if (isNewestLast && !startsAtTop) end.current?.scrollIntoView({ block: "end" });
  }, [isLoaded, end, isNewestLast, startsAtTop]);
  useEffect(() => {
    if (lastPending !== null && isNewestLast) end.current?.scrollIntoView({ block: "end" });
  }, [lastPending, end, isNewestLast]);
}
