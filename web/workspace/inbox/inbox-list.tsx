import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { InboxItem } from "../../api/index.ts";
import { t } from "../../languages/index.ts";
import { RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { buildItemKey, type InboxGroup } from "./inbox-groups.ts";
import { InboxRow } from "./inbox-row.tsx";

type Props = {
  groups: readonly InboxGroup[];
  focused: string | null;
  selected: ReadonlySet<string>;
  showsService: boolean;
  hasMore: boolean;
  onMore(): void;
  onFocus(item: InboxItem): void;
  onMove(step: number): void;
  onOpen(item: InboxItem): void;
  onToggle(item: InboxItem): void;
  onSwipe(item: InboxItem, direction: "right" | "left"): void;
};

const rowId = (key: string): string => `inbox-${key}`;

/** Replaces a row that can't be rendered. */
const putIntoOption = (notice: ReactNode) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active option
  <div role="option" aria-selected="false">
    {notice}
  </div>
);

/** The list of the inbox. New rows appear in place and never move the focused row. */
export function InboxList(props: Props) {
  const { groups, focused, selected, showsService, hasMore, onMore, onFocus, onMove, onOpen, onToggle, onSwipe } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const newAbove = useStableFocus(scroller, groups, focused);
  useEffect(() => {
    scroller.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (focused !== null) document.getElementById(rowId(focused))?.scrollIntoView({ block: "nearest" });
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step =
      steps[event.key] ??
      (event.key === "Home" ? Number.NEGATIVE_INFINITY : event.key === "End" ? Number.POSITIVE_INFINITY : 0);
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onMove(step);
  };
  return (
    <div className="inbox-list-frame">
      {newAbove > 0 && (
        <button
          type="button"
          className="inbox-pill"
          onClick={() => scroller.current?.scrollTo({ top: 0, behavior: "smooth" })}
        >
          {t("inbox.newAbove", { count: newAbove })}
        </button>
      )}
      <div
        ref={scroller}
        className="inbox-list"
        role="listbox"
        aria-label={t("inbox.title")}
        aria-multiselectable="true"
        aria-activedescendant={focused === null ? undefined : rowId(focused)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (hasMore && scrollTop + clientHeight > scrollHeight - 600) onMore();
        }}
      >
        {groups.map(({ key, label, message, items }) => {
          const name = label ?? (message === null ? "" : t(message));
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
            <div role="group" aria-label={name} key={key} className="inbox-group" data-group={key}>
              <div className="inbox-heading" aria-hidden="true">
                <span>{name}</span> <span className="inbox-count numbers">{items.length}</span>
              </div>
              {items.map((item) => {
                const itemKey = buildItemKey(item);
                return (
                  <RowBoundary key={itemKey} row={item} frame={putIntoOption}>
                    {() => (
                      <InboxRow
                        id={rowId(itemKey)}
                        item={item}
                        isFocused={itemKey === focused}
                        isSelected={selected.has(itemKey)}
                        showsService={showsService}
                        onFocus={onFocus}
                        onOpen={onOpen}
                        onToggle={onToggle}
                        onSwipe={onSwipe}
                      />
                    )}
                  </RowBoundary>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A list that is too short to scroll gets room below, so that its rows can stay where they are. */
function scrollBy(list: HTMLElement, distance: number): void {
  const wanted = list.scrollTop + distance;
  const last = list.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  const content = last - list.getBoundingClientRect().top + list.scrollTop;
  const missing = wanted + list.clientHeight - content;
  if (missing > 0) list.style.paddingBlockEnd = `${Math.ceil(missing)}px`;
  list.scrollTop = wanted;
}

/**
 * Keeps the focused row where it is on the screen while rows are added and removed; returns the number of new rows out
 * of view above.
 */
function useStableFocus(
  scroller: RefObject<HTMLDivElement | null>,
  groups: readonly InboxGroup[],
  focused: string | null,
): number {
  const before = useRef<{ key: string; top: number } | null>(null);
  const known = useRef<ReadonlySet<string> | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [above, setAbove] = useState(0);
  const keys = groups.flatMap(({ items }) => items.map(buildItemKey)).join();
  const follow = useEffectEvent((order: readonly string[]) => {
    const list = scroller.current;
    if (list === null) return;
    const row = focused === null ? null : document.getElementById(rowId(focused));
    const was = before.current;
    if (row !== null && was !== null && was.key === focused) {
      const moved = row.getBoundingClientRect().top - list.getBoundingClientRect().top - was.top;
      if (Math.abs(moved) > 0.5) scrollBy(list, moved);
    }
    const previous = known.current;
    known.current = new Set(order);
    if (previous === null || previous.size === 0) return;
    const added = order.filter((key) => !previous.has(key));
    if (added.length > 0) setFresh((now) => new Set([...now, ...added]));
  });
  // After rows were added or removed.
  useLayoutEffect(() => follow(keys === "" ? [] : keys.split(",")), [keys]);
  // The position of the row at the last paint.
  useEffect(() => {
    const list = scroller.current;
    const remember = () => {
      const row = focused === null ? null : document.getElementById(rowId(focused));
      before.current =
        row === null || list === null || focused === null
          ? null
          : { key: focused, top: row.getBoundingClientRect().top - list.getBoundingClientRect().top };
      if (list === null) return;
      if (list.scrollTop === 0) list.style.paddingBlockEnd = "";
      const top = list.getBoundingClientRect().top;
      const hidden = [...fresh].filter((key) => {
        const found = document.getElementById(rowId(key));
        return found !== null && found.getBoundingClientRect().bottom <= top + 1;
      });
      setAbove(hidden.length);
      if (hidden.length < fresh.size) setFresh(new Set(hidden));
    };
    remember();
    list?.addEventListener("scroll", remember, { passive: true });
    return () => list?.removeEventListener("scroll", remember);
  });
  return above;
}
