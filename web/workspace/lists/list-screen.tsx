import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { isTextField } from "../../actions/keys.ts";
import { useActions } from "../../actions/registry.ts";
import type { Row } from "../../api.ts";
import { ApiError, revisionsApi } from "../../api.ts";
import { getLastVisit, useAsCameFrom } from "../../came-from.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { collectionLabel, lowerFirst } from "../../languages/labels.ts";
import { lazyDialog } from "../../parts/dialogs/lazy-dialog.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { whenIdle } from "../../parts/loading/when-idle.ts";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { recordPageKey } from "../../queries/index.ts";
import { isNegative } from "../../queries/status-order.ts";
import { CollisionGuard } from "../request/save/collision-dialog.tsx";
import { buildBulkActions } from "./bulk/bulk-actions.ts";
import { useSelection } from "./bulk/selection.ts";
import { allRecords, useDefaultView } from "./default-view.ts";
import { FilterBar } from "./filter-bar.tsx";
import { pickFittingColumns } from "./grid/columns.ts";
import { type ActiveCell, Grid } from "./grid/grid.tsx";
import { groupLines } from "./grid/group-lines.ts";
import { targetField } from "./grid/narrow-row.tsx";
import { NoRows } from "./grid/no-rows.tsx";
import { RowMenu } from "./grid/row-menu.tsx";
import { useWidths } from "./grid/widths.ts";
import { buildListActions } from "./list-actions.ts";
import {
  buildFilterQuery,
  buildListQuery,
  type ListAddress,
  parseAddress,
  type Search,
  type SortKey,
  writeSort,
  writeViewQuery,
} from "./list-address.ts";
import { ListBar } from "./list-bar.tsx";
import { ListTools } from "./list-tools.tsx";
import { useFillHeight } from "./use-fill-height.ts";
import { useFollowActive } from "./use-follow-active.ts";
import { useLiveRows } from "./use-live-rows.ts";
import { useRowSave } from "./use-row-save.ts";
import { useRows } from "./use-rows.ts";
import type { View } from "./views.ts";

const BoardLayout = lazyPart(async () => (await import("./layouts/board-layout.tsx")).default);
const CalendarLayout = lazyPart(async () => (await import("./layouts/calendar-layout.tsx")).default);
const BulkBar = lazyPart(async () => (await import("./bulk/bulk-bar.tsx")).BulkBar);
const FilterSheet = lazyPart(async () => (await import("./filter-sheet.tsx")).default);

const RefusalDialog = lazyDialog(async () => (await import("../request/refusal-dialog.tsx")).default);
const BulkDialog = lazyDialog(async () => (await import("./bulk/bulk-dialog.tsx")).BulkDialog);
const loadBulk = () => import("./bulk/bulk-progress.tsx");

// The list of any collection. The address holds the parameters of the API call, so a list can be shared and kept.

/** What rows show beside their columns: the chip of a target needs the status, a phone shows the member. */
const neededBeside = (type: RecordType): string[] =>
  [type.display, "status", "member", "impact", targetField(type) ?? ""].filter((name) => name in type.fields);

export function ListScreen({ type }: { type: RecordType }) {
  return (
    <CollisionGuard type={type}>
      <ListPage type={type} />
    </CollisionGuard>
  );
}

function ListPage({ type }: { type: RecordType }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const address = useMemo(() => parseAddress(type, search), [type, search]);
  const query = useMemo(() => buildListQuery(type, address, neededBeside(type)), [type, address]);
  const list = useRows(type, query);
  const { rows, total, data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData, show } =
    list;
  useLiveRows(type, data?.pages.length ?? 1);
  useEffect(() => whenIdle(() => Promise.all([BulkBar.preload(), BulkDialog.preload()])), []);

  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const size = useFillHeight(frame);
  const [widths, setWidths] = useWidths(account.id, type.collection);
  const [active, setActive] = useState<ActiveCell>(() => ({
    row: getLastVisit(location.pathname, location.search)?.at ?? -1,
    column: null,
  }));
  const [editing, setEditing] = useState(false);
  const [adding, setAdding] = useState(false);
  const [bulk, setBulk] = useState<string | null>(null);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useAsCameFrom(
    collectionLabel(type),
    useMemo(() => ids.map((id) => paths.record(account.id, type, id)), [ids, account.id, type]),
  );
  const selection = useSelection(ids, list);
  const lines = useMemo(() => groupLines(type, address.group, rows), [type, address.group, rows]);
  const isNarrow = size.width < 640;
  // The box to select by, and the menu of the row.
  const room = size.width - 44 - 26;
  const columns = useMemo(
    () => pickFittingColumns(type, address.columns, widths, room),
    [type, address.columns, widths, room],
  );

  const select = (part: Search) => {
    setActive({ row: -1, column: null });
    selection.clear();
    void navigate({ to: ".", search: { ...search, ...part } as never });
  };
  const setColumns = (wanted: readonly string[] | undefined) =>
    void navigate({ to: ".", search: { ...search, fields: wanted?.join(",") } as never, replace: true });
  const openView = (view: View, replace = false) => {
    if (view.value.widths !== undefined) setWidths(view.value.widths);
    selection.clear();
    const opened = Object.fromEntries(new URLSearchParams(view.value.query));
    void navigate({ to: ".", search: { ...opened, view: view.key } as never, replace });
  };
  /** The filters of a saved view go with it; those that the reader chose stay. */
  const openState = (state: string | undefined) => {
    const opened: Search = { view: state === undefined ? allRecords : undefined, state };
    if (search.view === undefined || search.view === allRecords) return select(opened);
    selection.clear();
    void navigate({ to: ".", search: opened as never });
  };
  // The way back does not lead through the bare address, which would open the view again.
  useDefaultView(type, search, (view) => openView(view, true));
  const moveColumn = (name: string, to: number) => {
    const next = address.columns.filter((each) => each !== name);
    const beside = columns[Math.min(Math.max(to, 0), columns.length - 1)];
    const forward = address.columns.indexOf(name) < address.columns.indexOf(beside ?? "");
    next.splice(next.indexOf(beside ?? "") + (forward ? 1 : 0), 0, name);
    setColumns(next);
  };

  const move = (to: ActiveCell) => {
    setActive(to);
    setEditing(false);
    grid.current?.focus({ preventScroll: true });
  };
  const current = rows[active.row];
  // The record that is about to be opened is loaded while the focus rests on its row.
  const currentId = current?.id;
  useEffect(() => {
    if (currentId === undefined) return;
    const timer = setTimeout(() => {
      void queries.prefetchQuery({
        queryKey: recordPageKey(account.id, type.name, currentId),
        queryFn: () => revisionsApi(account.id).get(`/${type.collection}/${currentId}`),
        staleTime: 10_000,
      });
    }, 120);
    return () => clearTimeout(timer);
  }, [currentId, queries, account.id, type]);

  useFollowActive(rows, active, setActive);
  // Arrow keys act in the list as soon as it is opened; on a fresh page the first Tab belongs to the link that skips the menu.
  // A filter that was applied leaves the focus nowhere until its rows are there.
  useEffect(() => {
    if (rows.length > 0 && document.activeElement === document.body && navigator.userActivation?.hasBeenActive)
      grid.current?.focus({ preventScroll: true });
  }, [rows]);

  const saveRow = useRowSave(type, show);
  const [refusal, setRefusal] = useState<{ row: Row; status: string } | null>(null);
  /** Resolves to false where the value was refused. */
  const save = async (row: Row, name: string, value: unknown): Promise<boolean> => {
    setEditing(false);
    grid.current?.focus({ preventScroll: true });
    if (name === "status" && isNegative(String(value))) {
      setRefusal({ row, status: String(value) });
      return true;
    }
    try {
      await saveRow(row, { [name]: value });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };

  const bulkActions = may("update", type) ? buildBulkActions(type, selection.count, setBulk) : [];
  useActions([
    ...buildListActions({ type, account: account.id, rows, active, move, selection, setEditing, setAdding, editing }),
    ...bulkActions,
  ]);
  // In a text field the same keys select the text.
  const selectLoaded = useRef(selection.selectLoaded);
  useLayoutEffect(() => {
    selectLoaded.current = selection.selectLoaded;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "a" || !(event.ctrlKey || event.metaKey) || isTextField(event.target)) return;
      event.preventDefault();
      selectLoaded.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  const viewQuery = writeViewQuery(search);
  const types = lowerFirst(collectionLabel(type));
  const narrowed = address.state !== undefined || address.q !== undefined || Object.keys(address.filters).length > 0;
  const filterQuery = buildFilterQuery(address);
  const target = selection.all
    ? {
        query: new URLSearchParams(
          Object.entries(filterQuery).filter((each): each is [string, string] => each[1] !== undefined),
        ).toString(),
      }
    : { ids: [...selection.ids] };
  const filterProps = {
    type,
    filters: address.filters,
    q: address.q,
    adding,
    onAdding: setAdding,
    onChange: (filters: ListAddress["filters"], q: string | undefined) =>
      select({ ...Object.fromEntries(type.filterable.map((name) => [name, undefined])), ...filters, q }),
  };
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={type} />;
  return (
    <div className="page list-page">
      <ListBar
        type={type}
        address={address}
        viewQuery={viewQuery}
        widths={widths}
        query={query}
        columns={address.columns}
        onState={openState}
        onOpen={(view) => openView(view)}
        onSaved={(view) => void navigate({ to: ".", search: { ...search, view: view.key } as never, replace: true })}
        onRemoved={() => void navigate({ to: ".", search: { ...search, view: undefined } as never, replace: true })}
      />
      <div className="list-tools">
        {isNarrow ? (
          <Suspense>
            <FilterSheet {...filterProps} />
          </Suspense>
        ) : (
          <FilterBar {...filterProps} />
        )}
        <ListTools
          type={type}
          total={data === undefined ? null : list}
          capped={type.routes.cap !== null && total >= type.routes.cap}
          columns={address.columns}
          hidden={address.columns.length - columns.length}
          onColumns={setColumns}
          group={address.group}
          onGroup={(group) => select({ group })}
          layout={address.layout}
          isNarrow={isNarrow}
          onLayout={(layout) => select({ layout: layout === "table" ? undefined : layout })}
        />
      </div>
      <div ref={frame} className="list-frame" aria-busy={isPlaceholderData}>
        {address.layout === "calendar" ? (
          <Suspense fallback={<SkeletonRows rows={16} />}>
            <CalendarLayout
              type={type}
              filters={filterQuery}
              month={search.month}
              by={search.by}
              height={size.height}
              isNarrow={isNarrow}
              onChange={(part) => select(part)}
            />
          </Suspense>
        ) : error !== null ? (
          <ErrorPanel error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonRows rows={16} />
        ) : rows.length === 0 ? (
          <NoRows
            type={type}
            narrowed={narrowed}
            types={types}
            onRemoveLast={() => {
              const last = Object.keys(address.filters).at(-1);
              if (last !== undefined) select({ [last]: undefined });
              else if (address.q !== undefined) select({ q: undefined });
              else select({ state: undefined, view: undefined });
            }}
          />
        ) : address.layout === "board" ? (
          <Suspense fallback={<SkeletonRows rows={16} />}>
            <BoardLayout
              type={type}
              rows={rows}
              total={list}
              height={size.height}
              onSave={saveRow}
              hasMore={hasNextPage}
              onMore={() => !isFetchingNextPage && void fetchNextPage()}
            />
          </Suspense>
        ) : (
          <Grid
            type={type}
            lines={lines}
            rows={rows}
            total={total}
            columns={columns}
            widths={widths}
            onWidths={setWidths}
            size={size}
            sort={address.sort}
            onSort={(keys: readonly SortKey[]) => select({ sort: writeSort(keys) })}
            onMove={moveColumn}
            selection={selection}
            active={active}
            onActive={move}
            editing={editing}
            onEdit={setEditing}
            onSave={save}
            onEndReached={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()}
            scrollKey={`list-scroll ${account.id} ${type.collection} ${viewQuery}`}
            element={grid}
          />
        )}
      </div>
      <RowMenu type={type} rows={rows} frame={frame} activeRow={active.row} selection={selection} />
      {selection.count > 0 && (
        <Suspense>
          <BulkBar type={type} selection={selection} total={list} actions={bulkActions} onChange={setBulk} />
        </Suspense>
      )}
      {refusal !== null && (
        <RefusalDialog
          type={type.name}
          id={refusal.row.id}
          status={refusal.status}
          onRefuse={(note) => saveRow(refusal.row, { status: refusal.status, note })}
          onClose={() => setRefusal(null)}
        />
      )}
      {bulk !== null && (
        <BulkDialog
          key={bulk}
          type={type}
          name={bulk}
          target={target}
          count={selection.shownCount}
          onClose={() => setBulk(null)}
          onStart={(order, onBegun) => {
            setBulk(null);
            selection.clear();
            void loadBulk().then(({ startBulkChange }) =>
              startBulkChange({ api, queries, account: account.id, type, onBegun }, order),
            );
          }}
        />
      )}
    </div>
  );
}
