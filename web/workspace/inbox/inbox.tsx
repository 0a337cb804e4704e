import { useMediaQuery } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import type { InboxTab } from "../../api/index.ts";
import { whenIdle } from "../../base/when-idle.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { withWords } from "../../languages/labels.ts";
import { useTopics } from "../../live/use-topics.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { InboxBar, tabs } from "./inbox-bar.tsx";
import { InboxFooter } from "./inbox-footer.tsx";
import type { InboxGroup } from "./inbox-groups.ts";
import { InboxList } from "./inbox-list.tsx";
import { useInbox } from "./use-inbox.ts";
import { useInboxKeys } from "./use-inbox-keys.ts";
import { useInboxRows } from "./use-inbox-rows.ts";
import { useItemCommands } from "./use-item-commands.ts";
import { type RowFocus, useRowFocus } from "./use-row-focus.ts";

const InboxEmpty = lazyPart(async () => (await import("./inbox-empty.tsx")).InboxEmpty);
const Peek = lazyPart(async () => (await withWords(import("./peek.tsx"))).Peek);
const QuestionDialog = lazyDialog(async () => (await withWords(import("./question-dialog.tsx"))).QuestionDialog);

/** /a/:account/inbox/<tab>: the next items to work on. */
export function InboxScreen() {
  const wanted = useParams({ strict: false, select: (params: { tab?: string }) => params.tab });
  const tab = tabs.find((each) => each === wanted) ?? "mine";
  return <InboxTabScreen key={tab} tab={tab} />;
}

function InboxTabScreen({ tab }: { tab: InboxTab }) {
  const inbox = useInbox(tab);
  const [filter, setFilter] = useState("");
  const [unfiltered, setUnfiltered] = useState<string | null>(null);
  const [filterOpen, setFilterOpen] = useState(false);
  const { groups, rows, grouping, setGrouping } = useInboxRows(tab, inbox.items, filter);
  const place = useRowFocus(tab, rows);
  const commands = useItemCommands(place);
  const { current, focused, setFocused, selected, peek, setPeek, move } = place;
  const { actions, question } = commands;
  useTopics(["inbox"]);
  useEffect(() => whenIdle(() => Promise.all([QuestionDialog.preload(), Peek.preload()])), []);
  /** A filter without matches leaves the focus where it was before. */
  const filterBy = (text: string) => {
    if (filter === "") setUnfiltered(focused);
    if (text === "" && rows.length === 0) setFocused(unfiltered);
    setFilter(text);
  };
  useInboxKeys({ tab, place, actions, filter, onFilter: filterBy, onFilterOpen: setFilterOpen });
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
          <InboxRows {...{ tab, inbox, groups, place, commands }} isFiltered={filter !== ""} />
          <InboxFooter selected={selected.size} />
        </div>
        {peek !== undefined && current !== null && (
          <Suspense fallback={<aside className="peek" aria-busy="true" />}>
            <Peek
              item={current}
              actions={[actions.reply, actions.internal, actions.complete]}
              more={[actions.accept, actions.member, actions.status, actions.impact, actions.wait, actions.open]}
              onMove={move}
              onOpen={() => commands.openRow(current)}
              onClose={() => setPeek(null)}
            />
          </Suspense>
        )}
      </div>
      {question !== null && question.items.length > 0 && (
        <QuestionDialog
          question={question.about}
          items={question.items}
          apply={commands.apply}
          onWait={commands.leaveWaiting}
          onClose={commands.closeQuestion}
        />
      )}
    </div>
  );
}

type RowsProps = {
  tab: InboxTab;
  inbox: ReturnType<typeof useInbox>;
  groups: readonly InboxGroup[];
  place: RowFocus;
  commands: ReturnType<typeof useItemCommands>;
  isFiltered: boolean;
};

function InboxRows({ tab, inbox, groups, place, commands, isFiltered }: RowsProps) {
  const hasRoomForService = useMediaQuery("(min-width: 90em)", true, { getInitialValueInEffect: false });
  if (inbox.isError && inbox.items.length === 0)
    return <ErrorMessage error={inbox.error} retry={() => void inbox.refetch()} />;
  if (inbox.isPending) return <SkeletonRows rows={12} />;
  if (place.rows.length === 0)
    return (
      <Suspense fallback={null}>
        <InboxEmpty tab={tab} isFiltered={isFiltered} />
      </Suspense>
    );
  return (
    <InboxList
      groups={groups}
      focused={place.focused}
      selected={place.selected}
      showsService={place.peek === undefined && hasRoomForService}
      hasMore={inbox.hasNextPage && !inbox.isFetchingNextPage}
      onMore={() => void inbox.fetchNextPage()}
      onFocus={place.focus}
      onMove={place.move}
      onOpen={commands.openRow}
      onToggle={place.toggle}
      onSwipe={commands.swipe}
    />
  );
}
