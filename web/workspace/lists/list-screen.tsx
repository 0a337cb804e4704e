import { Suspense, useEffect } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { ApiError } from "../../api/index.ts";
import { whenIdle } from "../../base/when-idle.ts";
import { lazyPart } from "../../elements/lazy-part.tsx";
import { CollisionGuard } from "../../parts/save/collision-dialog.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { RowMenu } from "./grid/row-menu.tsx";
import { ListBar } from "./list-bar.tsx";
import { ListTools } from "./list-tools.tsx";
import { BulkDialog, ListDialogs } from "./page/list-dialogs.tsx";
import { ListRows } from "./page/list-rows.tsx";
import { type ListPage, useListPage } from "./page/use-list-page.ts";

const BulkBar = lazyPart(async () => (await import("./bulk/bulk-bar.tsx")).BulkBar);
const FilterSheet = lazyPart(async () => (await import("./filter-sheet.tsx")).default);

// The list of any collection. The address contains the parameters of the API call, so a list can be shared and saved.

export function ListScreen({ type }: { type: RecordType }) {
  return (
    <CollisionGuard type={type}>
      <ListOfType type={type} />
    </CollisionGuard>
  );
}

function ListOfType({ type }: { type: RecordType }) {
  const page = useListPage(type);
  const { list, rows, frame, selection } = page;
  useEffect(() => whenIdle(() => Promise.all([BulkBar.preload(), BulkDialog.preload()])), []);
  if (list.error instanceof ApiError && list.error.status === 403) return <Forbidden type={type} />;
  return (
    <div className="page list-page">
      <ListBar page={page} />
      <Tools page={page} />
      <div ref={frame} className="list-frame" aria-busy={list.isPlaceholderData}>
        <ListRows page={page} />
      </div>
      <RowMenu type={type} rows={rows} frame={frame} activeRow={page.focus.active.row} selection={selection} />
      {selection.count > 0 && (
        <Suspense>
          <BulkBar type={type} selection={selection} total={list} actions={page.bulkActions} onChange={page.setBulk} />
        </Suspense>
      )}
      <ListDialogs page={page} />
    </div>
  );
}

/** The filters, and the controls for the layout of the rows. */
function Tools({ page }: { page: ListPage }) {
  const { type, address, list, columns, isNarrow, steps } = page;
  const { cap } = type.routes;
  const filters = {
    ...{ type, filters: address.filters, q: address.q },
    ...{ adding: page.adding, onAdding: page.setAdding, onChange: steps.filter },
  };
  return (
    <div className="list-tools">
      {isNarrow ? (
        <Suspense>
          <FilterSheet {...filters} />
        </Suspense>
      ) : (
        <FilterBar {...filters} />
      )}
      <ListTools
        type={type}
        total={list.data === undefined ? null : list}
        capped={cap !== null && list.total >= cap}
        columns={address.columns}
        hidden={address.columns.length - columns.length}
        onColumns={steps.setColumns}
        group={address.group}
        onGroup={(group) => steps.select({ group })}
        layout={address.layout}
        isNarrow={isNarrow}
        onLayout={(layout) => steps.select({ layout: layout === "table" ? undefined : layout })}
      />
    </div>
  );
}
