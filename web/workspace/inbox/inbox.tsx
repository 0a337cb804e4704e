import { useMediaQuery } from "@mantine/hooks";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { useActions } from "../../actions/registry.ts";
import type { InboxItem, InboxTab } from "../../api.ts";
import { getLastVisit, useAsCameFrom } from "../../came-from.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { withWords } from "../../languages/labels.ts";
import { useLiveState } from "../../live/live-state.ts";
import { useTopics } from "../../live/use-topics.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { useStableHandler } from "../../parts/lists/stable-handler.ts";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { whenIdle } from "../../parts/loading/when-idle.ts";
import { refreshNow, useNow } from "../../parts/now.ts";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { statusLabel } from "../../parts/work/status.tsx";
import { paths } from "../../paths.ts";
import { findEntry, findEntryByCollection } from "../../type-index.ts";
import { buildItemActions, type InboxQuestion } from "./inbox-actions.ts";
import { InboxBar, tabs } from "./inbox-bar.tsx";
import { findNextBoundary, type Grouping, groupItems, keyOf } from "./inbox-groups.ts";
import { InboxList } from "./inbox-list.tsx";
import type { Answer } from "./question-dialog.tsx";
import { type ItemChange, useItemChanges } from "./use-changes.ts";
import { useInbox } from "./use-inbox.ts";
import { usePrefetch } from "./use-peek-queries.ts";

const InboxEmpty = lazyPart(async () => (await import("./inbox-empty.tsx")).InboxEmpty);
const Peek = lazyPart(async () => (await withWords(import("./peek.tsx"))).Peek);
const QuestionDialog = lazyDialog(async () => (await withWords(import("./question-dialog.tsx"))).QuestionDialog);

/** /a/:account/inbox/<tab>: what to do next. */
export function InboxScreen() {
  const { tab: wanted = "mine" } = useParams({ strict: false }) as { tab?: string };
  const tab = tabs.find((each) => each === wanted) ?? "mine";
  return <InboxTabScreen key={tab} tab={tab} />;
}

function InboxTabScreen({ tab }: { tab: InboxTab }) {
  const { who, account } = useCurrentAccount();
  const { peek } = useSearch({ strict: false }) as { peek?: string };
  const inbox = useInbox(tab);
  const { change } = useItemChanges();
  const now = useNow();
  const hasRoomForService = useMediaQuery("(min-width: 90em)", true, { getInitialValueInEffect: false });
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const [visit] = useState(() => getLastVisit(paths.inbox(account.id, tab)));
  const [focused, setFocused] = useState<string | null>(visit === null ? (peek ?? null) : keyOfPath(visit.record));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState("");
  const [unfiltered, setUnfiltered] = useState<string | null>(null);
  const [filterOpen, setFilterOpen] = useState(false);
  const [grouping, setGrouping] = useState<Grouping>("target");
  const [question, setQuestion] = useState<{ about: InboxQuestion; items: readonly InboxItem[] } | null>(null);
  useTopics(["inbox"]);
  useEffect(() => whenIdle(() => Promise.all([QuestionDialog.preload(), Peek.preload()])), []);

  const shown = useMemo(() => filterItems(inbox.items, filter), [inbox.items, filter]);
  const groups = useMemo(
    () => groupItems(shown, grouping, now, ({ type, status }) => statusLabel(type, status)),
    [shown, grouping, now],
  );
  const rows = useMemo(() => groups.flatMap(({ items }) => items), [groups]);
  useBoundaries(rows, now);
  useAsCameFrom(
    t("menu.inbox"),
    useMemo(
      () =>
        rows.flatMap((item) => {
          const type = findEntry(item.type);
          return type === undefined ? [] : [paths.record(account.id, type, item.id)];
        }),
      [rows, account.id],
    ),
    t(`inbox.tab.${tab}`),
  );
  const at = rows.findIndex((item) => keyOf(item) === focused);
  const current = rows[at] ?? null;
  useKeepFocus(rows, focused, setFocused, visit?.at ?? 0);
  usePrefetch(current);
  const acting =
    selected.size > 0 ? rows.filter((item) => selected.has(keyOf(item))) : current === null ? [] : [current];

  const setPeek = useCallback(
    (key: string | null, replace = true) =>
      navigateTo(`${paths.inbox(account.id, tab)}${key === null ? "" : `?peek=${key}`}`, replace),
    [account.id, tab],
  );
  const focus = useCallback(
    (item: InboxItem) => {
      setFocused(keyOf(item));
      if (peek !== undefined) setPeek(keyOf(item));
      // A phone has no keys: a tap shows the record and what can be done with it.
      else if (isPhone) setPeek(keyOf(item), false);
    },
    [peek, setPeek, isPhone],
  );
  const move = (step: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
    if (next !== undefined) focus(next);
  };
  const open = useCallback(
    (item: InboxItem, what?: string) => {
      const type = findEntry(item.type);
      if (type !== undefined)
        navigateTo(`${paths.record(account.id, type, item.id)}${what === undefined ? "" : `?do=${what}`}`);
    },
    [account.id],
  );
  const openRow = useCallback((item: InboxItem) => open(item), [open]);
  const toggle = useCallback((item: InboxItem) => {
    setFocused(keyOf(item));
    setSelected((was) => {
      const next = new Set(was);
      if (!next.delete(keyOf(item))) next.add(keyOf(item));
      return next;
    });
  }, []);

  const me = { id: who.person.id, name: who.person.name };
  const apply = (
    items: readonly InboxItem[],
    build: (item: InboxItem) => ItemChange,
    describe: (count: number) => string,
  ) => {
    setSelected(new Set());
    void change(items, build, describe);
  };
  const accept = (items: readonly InboxItem[]) =>
    apply(
      items,
      () => ({ body: { status: "accepted", member_id: me.id }, shown: { status: "accepted", member: me } }),
      (count) => t("inbox.done.accepted", { count }),
    );
  const finish = (items: readonly InboxItem[]) =>
    apply(
      items,
      ({ category }) => {
        const status = category === "approval" ? "approved" : "completed";
        return { body: { status }, shown: { status } };
      },
      (count) => t("inbox.done.completed", { count }),
    );
  const answer = (given: Answer) => {
    applyAnswer(given, question?.items ?? [], apply);
    // What waits goes to the end of the list: the work goes on where it was.
    if (isWait(given) && selected.size === 0) move(at === rows.length - 1 ? -1 : 1);
  };
  // The rows as they are now: others may change them while the question is open (D-757).
  const ask = (about: InboxQuestion) => setQuestion({ about, items: acting });
  const actions = buildItemActions(acting, { accept, ask, finish, open });
  const swipe = useStableHandler((item: InboxItem, direction: "right" | "left") => {
    focus(item);
    if (direction === "right") accept([item]);
    else setPeek(keyOf(item), false);
  });
  /** A filter that nothing meets leaves the focus where it was before. */
  const filterBy = (text: string) => {
    if (filter === "") setUnfiltered(focused);
    if (text === "" && rows.length === 0) setFocused(unfiltered);
    setFilter(text);
  };
  const goToTab = (step: number) =>
    navigateTo(paths.inbox(account.id, tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] as InboxTab));
  useActions([
    { id: "inbox.next", name: t("inbox.next"), group: "list", keys: "j", keysOnly: true, run: () => move(1) },
    { id: "inbox.previous", name: t("inbox.previous"), group: "list", keys: "k", keysOnly: true, run: () => move(-1) },
    {
      ...{ id: "inbox.peek", name: t("inbox.peek"), group: "list", keys: "space", when: current !== null },
      run: () => setPeek(peek === undefined && current !== null ? keyOf(current) : null, peek !== undefined),
    },
    {
      ...{ id: "inbox.select", name: t("inbox.select"), group: "list", keys: "x", when: current !== null },
      run: () => current !== null && toggle(current),
    },
    {
      id: "inbox.filter",
      name: t("inbox.filter"),
      group: "list",
      keys: "f",
      run: () => flushSync(() => setFilterOpen(true)),
    },
    { id: "inbox.nextTab", name: t("inbox.nextTab"), group: "list", keys: "]", run: () => goToTab(1) },
    { id: "inbox.previousTab", name: t("inbox.previousTab"), group: "list", keys: "[", run: () => goToTab(-1) },
    {
      ...{ id: "inbox.back", name: t("app.close"), group: "list", keys: "escape", keysOnly: true },
      when: selected.size > 0 || peek !== undefined || filter !== "",
      run: () => (selected.size > 0 ? setSelected(new Set()) : peek !== undefined ? setPeek(null) : filterBy("")),
    },
    ...Object.values(actions),
  ]);

  return (
    <div className="page inbox">
      <InboxBar
        {...{ tab, filter, filterOpen, grouping }}
        onFilter={filterBy}
        onFilterOpen={setFilterOpen}
        onFilterDone={() => {
          setFilterOpen(false);
          document.querySelector<HTMLElement>(".inbox-list")?.focus({ preventScroll: true });
        }}
        onGrouping={setGrouping}
      />
      <div className="inbox-body" data-peeking={peek !== undefined || undefined}>
        <div className="inbox-main">
          {inbox.isError && inbox.items.length === 0 ? (
            <ErrorMessage error={inbox.error} retry={() => void inbox.refetch()} />
          ) : inbox.isPending ? (
            <SkeletonRows rows={12} />
          ) : rows.length === 0 ? (
            <Suspense fallback={null}>
              <InboxEmpty tab={tab} isFiltered={filter !== ""} />
            </Suspense>
          ) : (
            <InboxList
              {...{ groups, focused, selected }}
              showsService={peek === undefined && hasRoomForService}
              hasMore={inbox.hasNextPage && !inbox.isFetchingNextPage}
              onMore={() => void inbox.fetchNextPage()}
              onFocus={focus}
              onMove={move}
              onOpen={openRow}
              onToggle={toggle}
              onSwipe={swipe}
            />
          )}
          <InboxFooter selected={selected.size} />
        </div>
        {peek !== undefined && current !== null && (
          <Suspense fallback={<aside className="peek" aria-busy="true" />}>
            <Peek
              item={current}
              actions={[actions.reply, actions.internal, actions.complete]}
              more={[actions.accept, actions.member, actions.status, actions.impact, actions.wait, actions.open]}
              onMove={move}
              onOpen={() => open(current)}
              onClose={() => setPeek(null)}
            />
          </Suspense>
        )}
      </div>
      {question !== null && question.items.length > 0 && (
        <QuestionDialog
          question={question.about}
          items={question.items}
          onAnswer={answer}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

const isWait = (answer: Answer): boolean =>
  answer.question === "wait" || (answer.question === "status" && answer.status === "waiting_for_customer");

const keyOfPath = (path: string): string => {
  const [collection = "", id] = path.split("/").slice(-2);
  return `${findEntryByCollection(collection)?.name}-${id}`;
};

type Apply = (items: readonly InboxItem[], build: () => ItemChange, describe: (count: number) => string) => void;

function applyAnswer(answer: Answer, items: readonly InboxItem[], apply: Apply): void {
  if (answer.question === "member") {
    const { member } = answer;
    apply(
      items,
      () => ({ body: { member_id: member.id }, shown: { member } }),
      () => t("inbox.done.assigned", { name: member.name }),
    );
  } else if (answer.question === "status") {
    const { status, note } = answer;
    const label = statusLabel(items[0]?.type ?? "request", status);
    apply(
      items,
      () => ({ body: { status, ...(note === undefined ? {} : { note }) }, shown: { status } }),
      () => t("inbox.done.status", { status: label }),
    );
  } else if (answer.question === "impact") {
    const { impact } = answer;
    apply(
      items,
      () => ({ body: { impact }, shown: { impact } }),
      (count) => t("inbox.done.impact", { count }),
    );
  } else {
    const body = { status: "waiting_for", waiting_until: answer.until };
    apply(
      items,
      () => ({ body, shown: { status: "waiting_for" } }),
      (count) => t("inbox.done.waiting", { count }),
    );
  }
}

const filterItems = (items: readonly InboxItem[], filter: string): readonly InboxItem[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const { id, subject, team, member, requested_for, service_instance } = item;
    const text = [id, subject, team?.name, member?.name, requested_for?.name, service_instance?.name]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

/** A row that leaves the list hands the focus on to the one that takes its place. */
function useKeepFocus(
  rows: readonly InboxItem[],
  focused: string | null,
  setFocused: (key: string | null) => void,
  firstPlace: number,
): void {
  const [place, setPlace] = useState(firstPlace);
  const at = rows.findIndex((item) => keyOf(item) === focused);
  useEffect(() => {
    if (rows.length === 0) return;
    if (at >= 0) setPlace(at);
    else setFocused(keyOf(rows[Math.min(place, rows.length - 1)] as InboxItem));
  }, [rows, at, place, setFocused]);
}

/** Colours and groups change at the moment they have to, not with the next tick of the common clock. */
function useBoundaries(rows: readonly InboxItem[], now: number): void {
  useEffect(() => {
    const next = findNextBoundary(rows, now);
    if (next === null || next - now > 60_000) return;
    const timer = setTimeout(refreshNow, next - now + 50);
    return () => clearTimeout(timer);
  }, [rows, now]);
}

function InboxFooter({ selected }: { selected: number }) {
  const live = useLiveState();
  const hints = [
    ["j k", t("inbox.hint.move")],
    ["space", t("inbox.hint.peek")],
    ["enter", t("inbox.hint.open")],
    ["x", t("inbox.hint.select")],
    ["a", t("inbox.hint.accept")],
  ] as const;
  return (
    <div className="inbox-footer">
      {selected > 0 ? (
        <span role="status">{t("inbox.selected", { count: selected })}</span>
      ) : (
        hints.map(([keys, name]) => (
          <span key={keys} className="inbox-hint">
            <Kbd keys={keys} /> {name}
          </span>
        ))
      )}
      <span className="inbox-live" data-state={live}>
        {t(`inbox.live.${live}`)}
      </span>
    </div>
  );
}
