import { Suspense } from "react";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { collectionLabel, lowerFirst } from "../../../languages/labels.ts";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { Grid } from "../grid/grid.tsx";
import { NoRows } from "../grid/no-rows.tsx";
import { buildFilterQuery, writeSort } from "../list-address.ts";
import type { ListPage } from "./use-list-page.ts";

const BoardLayout = lazyPart(async () => (await import("../layouts/board-layout.tsx")).default);
const CalendarLayout = lazyPart(async () => (await import("../layouts/calendar-layout.tsx")).default);

/** The rows in the layout of the address, or the reason why there are none. */
export function ListRows({ page }: { page: ListPage }) {
  const { type, search, address, list, rows, size, isNarrow, steps, cells } = page;
  if (address.layout === "calendar")
    return (
      <Suspense fallback={<SkeletonRows rows={16} />}>
        <CalendarLayout
          type={type}
          filters={buildFilterQuery(address)}
          month={search.month}
          by={search.by}
          height={size.height}
          isNarrow={isNarrow}
          onChange={steps.select}
        />
      </Suspense>
    );
  if (list.error !== null) return <ErrorPanel error={list.error} retry={() => void list.refetch()} />;
  if (list.data === undefined) return <SkeletonRows rows={16} />;
  if (rows.length === 0)
    return (
      <NoRows
        type={type}
        narrowed={address.state !== undefined || address.q !== undefined || Object.keys(address.filters).length > 0}
        types={lowerFirst(collectionLabel(type))}
        onRemoveLast={steps.removeLastFilter}
      />
    );
  if (address.layout === "table") return <Table page={page} />;
  return (
    <Suspense fallback={<SkeletonRows rows={16} />}>
      <BoardLayout
        type={type}
        rows={rows}
        total={list}
        height={size.height}
        onSave={cells.saveRow}
        hasMore={list.hasNextPage}
        onMore={() => !list.isFetchingNextPage && void list.fetchNextPage()}
      />
    </Suspense>
  );
}

function Table({ page }: { page: ListPage }) {
  const { account } = useCurrentAccount();
  const { type, address, list, rows, lines, columns, widths, setWidths, size, selection, focus, steps, cells } = page;
  return (
    <Grid
      type={type}
      lines={lines}
      rows={rows}
      total={list.total}
      columns={columns}
      widths={widths}
      onWidths={setWidths}
      size={size}
      sort={address.sort}
      onSort={(keys) => steps.select({ sort: writeSort(keys) })}
      onMove={steps.moveColumn}
      selection={selection}
      active={focus.active}
      onActive={focus.move}
      editing={focus.editing}
      onEdit={focus.setEditing}
      onSave={cells.save}
      onEndReached={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
      scrollKey={`list-scroll ${account.id} ${type.collection} ${page.viewQuery}`}
      element={focus.grid}
    />
  );
}
