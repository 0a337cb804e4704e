import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { lazyDialog } from "../../../parts/dialogs/lazy-dialog.tsx";
import { buildFilterQuery } from "../list-address.ts";
import type { ListPage } from "./use-list-page.ts";

const RefusalDialog = lazyDialog(async () => (await import("../../work-item/refusal-dialog.tsx")).default);
export const BulkDialog = lazyDialog(async () => (await import("../bulk/bulk-dialog.tsx")).BulkDialog);
const loadBulk = () => import("../bulk/bulk-progress.tsx");

/** The records of a bulk change: the selected ones, or all that match the filters. */
function pickTarget({ address, selection }: ListPage) {
  if (!selection.all) return { ids: [...selection.ids] };
  const filters = Object.entries(buildFilterQuery(address)).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return { query: new URLSearchParams(filters).toString() };
}

/** The dialogs of a list: the reason for a refusal, and a value for many records. */
export function ListDialogs({ page }: { page: ListPage }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const { type, selection, bulk, setBulk } = page;
  const { refusal, closeRefusal, saveRow } = page.cells;
  return (
    <>
      {refusal !== null && (
        <RefusalDialog
          type={type.name}
          id={refusal.row.id}
          status={refusal.status}
          onRefuse={(note) => saveRow(refusal.row, { status: refusal.status, note })}
          onClose={closeRefusal}
        />
      )}
      {bulk !== null && (
        <BulkDialog
          key={bulk}
          type={type}
          name={bulk}
          target={pickTarget(page)}
          count={selection.shownCount}
          onClose={() => setBulk(null)}
          onStart={(order, onBegun) => {
            setBulk(null);
            selection.clear();
            void loadBulk().then(({ startBulkChange }) => startBulkChange({ api, queries, type, onBegun }, order));
          }}
        />
      )}
    </>
  );
}
