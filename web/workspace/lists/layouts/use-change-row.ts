import { useQueryClient } from "@tanstack/react-query";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import type { Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { showUndo } from "../../../parts/toast.tsx";

/** Shows a value before the server has confirmed it; the returned function puts the old one back. */
export type ShowChange = (id: number, part: Partial<Row>) => () => void;

type Order = {
  /** members of the body */
  body: Readonly<Record<string, unknown>>;
  /** what the row shows meanwhile */
  shown: Partial<Row>;
  message: string;
  /** null: nothing to offer */
  undo: Readonly<Record<string, unknown>> | null;
};

/** Changes a record from a layout: at once in the page, put back where the server refuses, with undo afterwards. */
export function useChangeRow(type: RecordType, show: ShowChange) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const refresh = (id: number) => {
    void queries.invalidateQueries({ queryKey: [account.id, "rows", type.collection] });
    void queries.invalidateQueries({ queryKey: [account.id, "record", type.name, String(id)] });
  };
  return async (row: Row, { body, shown, message, undo }: Order): Promise<void> => {
    const putBack = show(row.id, shown);
    const path = `/${type.collection}/${row.id}`;
    try {
      await api.change(path, body);
      refresh(row.id);
    } catch (refused) {
      putBack();
      throw refused;
    }
    if (undo === null) return;
    showUndo(message, async () => {
      await api.change(path, undo);
      refresh(row.id);
    });
  };
}
