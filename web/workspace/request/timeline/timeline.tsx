import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { Select } from "../../../fields/pickers/select.tsx";
import { t } from "../../../languages/index.ts";
import { formatMinutes } from "../../../moments.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { RowBoundary } from "../../../parts/lists/row-boundary.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { useRecordNames } from "../../../queries/record-names.ts";
import type { Reference } from "../../../queries/reference.ts";
import { useVoteMarks } from "../../task/vote-marks.tsx";
import type { PageParts } from "../page-parts.ts";
import { referenceOf } from "../page-parts.ts";
import { useNotes, usePageAudit, useSettled, useTeamMembers, useTimeEntries } from "../queries.ts";
import { buildEntries, isRemarkable, type TimelineTab, timelineTabs } from "./build-entries.ts";
import { ChangeLine, FoldedChanges } from "./change-line.tsx";
import { collectKnown, collectMentioned } from "./describe-change.tsx";
import { NoteEntry } from "./note-entry.tsx";
import { NoteReactions, useReactions } from "./reactions.tsx";
import { TimeEntries } from "./time-entries.tsx";
import type { PutBack } from "./use-put-back.ts";

const orderKey = "steward-timeline-order";
const readOrder = (): "oldest" | "newest" => {
  try {
    return localStorage.getItem(orderKey) === "newest" ? "newest" : "oldest";
  } catch {
    return "oldest";
  }
};

type Props = {
  type: RecordType;
  row: Row;
  parts: PageParts;
  /** the tabs of a phone leave the others out */
  only?: TimelineTab;
  /** notes that are on their way */
  pending?: readonly ReactElement[];
  /** undoes a change of the past; null: the reader may not */
  putBack?: PutBack | null;
};

export function Timeline({ type, row, parts, only, pending = [], putBack = null }: Props) {
  const id = String(row.id);
  const [chosen, setChosen] = useTimelineTab();
  const tab = only ?? chosen;
  const [order, setOrder] = useState(readOrder);
  const notes = useNotes(type, id);
  const audit = usePageAudit(type, id, true);
  const late = useSettled("late");
  const time = useTimeEntries(type, id, late || tab === "time");
  const members = useTeamMembers(referenceOf(row, "team"), late);
  const shown = audit.data ?? [];
  const known = useMemo(
    () => collectKnown(row, notes.data?.notes ?? [], audit.data ?? [], type),
    [row, notes.data, audit.data, type],
  );
  const loaded = useRecordNames(
    useMemo(() => collectMentioned(type, audit.data ?? [], known), [type, audit.data, known]),
  );
  const names = useMemo(() => new Map([...known, ...loaded]), [known, loaded]);
  const entries = buildEntries(notes.data?.notes ?? [], shown, tab, order === "newest");
  const spent = (time.data ?? []).reduce((sum, entry) => sum + entry.time_spent, 0);
  const allNotes = notes.data?.notes ?? [];
  const counts: Readonly<Record<TimelineTab, string>> = {
    everything: "",
    conversation: String(allNotes.filter(({ internal }) => internal !== true).length),
    internal: String(allNotes.filter(({ internal }) => internal === true).length),
    changes: String(shown.filter(isRemarkable).length),
    time: spent === 0 ? "" : formatMinutes(spent),
  };
  const reactions = useReactions(type, id, allNotes, late);
  const end = useRef<HTMLSpanElement>(null);
  const isLoaded = notes.data !== undefined && audit.data !== undefined;
  useScrollToNote(isLoaded, end, order === "oldest", pending.at(-1)?.key ?? null, parts.startsAtTop === true);
  const voteOf = useVoteMarks(type, row);
  const requesters = [parts.requester, "requested_by"].flatMap((field) =>
    field === null ? [] : (referenceOf(row, field)?.id ?? []),
  );
  const isRequester = (person: Reference | null) => person !== null && requesters.includes(person.id);
  const roleOf = (person: Reference | null): string => {
    if (isRequester(person)) return t("request.note.requester");
    const isMember = members.data?.some((member) => member.id === person?.id) ?? false;
    return isMember ? (referenceOf(row, "team")?.name ?? "") : "";
  };
  const tabs = timelineTabs.filter(
    (each) => (each !== "internal" || parts.hasInternalNotes) && (each !== "time" || "time_entries" in type.lists),
  );
  return (
    <section className="timeline" aria-label={t("request.timeline")}>
      {only === undefined && (
        <div className="timeline-bar">
          <div role="tablist" aria-label={t("request.timeline")} className="tabs">
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                className="tab"
                aria-selected={tab === each}
                onClick={() => setChosen(each)}
              >
                {t(`request.tab.${each}`)}
                {counts[each] !== "" && <span className="tab-count numbers">{counts[each]}</span>}
              </button>
            ))}
          </div>
          <Select
            size="xs"
            className="timeline-order"
            aria-label={t("request.order")}
            allowDeselect={false}
            data={[
              { value: "oldest", label: t("request.oldest") },
              { value: "newest", label: t("request.newest") },
            ]}
            value={order}
            onChange={(wanted) => {
              const next = wanted === "newest" ? "newest" : "oldest";
              setOrder(next);
              try {
                localStorage.setItem(orderKey, next);
              } catch {
                // it lasts as long as the page then
              }
            }}
          />
        </div>
      )}
      {notes.error !== null && <ErrorPanel error={notes.error} retry={() => void notes.refetch()} />}
      {tab === "time" ? (
        <TimeEntries entries={time.data ?? []} />
      ) : notes.data === undefined && notes.error === null ? (
        <SkeletonRows rows={5} />
      ) : (
        <div
          className="feed"
          {...(entries.length > 0 || pending.length > 0
            ? { role: "feed", "aria-label": t(`request.tab.${tab}`), "aria-busy": notes.isFetching }
            : {})}
        >
          {order === "newest" && pending}
          {entries.map((entry, at) => (
            <RowBoundary key={entry.key} row={entry} frame={putIntoArticle}>
              {() =>
                entry.is === "note" ? (
                  <NoteEntry
                    note={entry.note}
                    role={roleOf(entry.note.person)}
                    byRequester={isRequester(entry.note.person)}
                    position={at + 1}
                    size={entries.length}
                    isSent={parts.requester !== null}
                    mark={voteOf(entry.note)}
                  >
                    {reactions !== null && <NoteReactions note={entry.note} reactions={reactions} />}
                  </NoteEntry>
                ) : entry.is === "change" ? (
                  <ChangeLine type={type} change={entry.change} names={names} putBack={putBack} />
                ) : (
                  <FoldedChanges
                    type={type}
                    changes={entry.changes}
                    at={entry.at}
                    until={entry.until}
                    names={names}
                    putBack={putBack}
                  />
                )
              }
            </RowBoundary>
          ))}
          {order === "oldest" && pending}
          <span ref={end} />
          {entries.length === 0 && notes.error === null && pending.length === 0 && (
            <EmptyState title={t(`request.empty.${tab}`)} />
          )}
        </div>
      )}
    </section>
  );
}

const putIntoArticle = (notice: ReactNode) => <article>{notice}</article>;

/** The tab is part of the address, so that a link leads to it. */
function useTimelineTab(): [TimelineTab, (tab: TimelineTab) => void] {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const set = (wanted: TimelineTab) => {
    const change = (was: object) => ({ ...was, tab: wanted === "everything" ? undefined : wanted });
    void navigate({ to: ".", search: change as never, replace: true });
  };
  return [timelineTabs.find((each) => each === tab) ?? "everything", set];
}

/** The newest is what people come for; `#note-12` in the address leads to that note instead. */
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
