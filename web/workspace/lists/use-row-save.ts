import { useQueryClient } from "@tanstack/react-query";
import { useContext } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { type RevisedRow, type Row, revisionsApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { StaleWrite, sendWrite } from "../../live/write-queue.ts";
import { showError } from "../../parts/toast.tsx";
import { buildBody, CollisionContext, toWire } from "../request/save/use-save.ts";

// A change of one cell: shown at once, meant for the revision that the row was shown with. Where somebody else changed
// the same field meanwhile, the person decides, as on the page of the record.

export function useRowSave(type: RecordType, change: (id: number, part: Partial<Row>) => () => void) {
  const { account, who } = useCurrentAccount();
  const queries = useQueryClient();
  const chooseAmong = useContext(CollisionContext);

  const isSame = (name: string, one: unknown, other: unknown): boolean =>
    JSON.stringify(toWire(type, name, one)) === JSON.stringify(toWire(type, name, other));

  /** The record with its revision; mostly loaded already, because the focus has rested on the row. */
  const load = (id: number): Promise<RevisedRow> =>
    queries.fetchQuery({
      queryKey: [account.id, "record", type.name, String(id), "page"],
      queryFn: () => revisionsApi(account.id).get(`/${type.collection}/${id}`),
      staleTime: 10_000,
    });

  /** Null where the person chose to leave it as the others have it. */
  async function send(
    id: number,
    name: string,
    value: unknown,
    seen: unknown,
    current: RevisedRow,
  ): Promise<RevisedRow | null> {
    if (!isSame(name, seen, current.row[name]) && !isSame(name, value, current.row[name])) {
      change(id, { [name]: current.row[name] });
      const chosen = await chooseAmong([{ field: name, mine: value, theirs: current.row[name], before: seen }]);
      return chosen === null ? null : send(id, name, chosen[name], current.row[name], current);
    }
    try {
      return await sendWrite(who.person.id, {
        account: account.id,
        path: `/${type.collection}/${id}`,
        body: buildBody(type, { [name]: value }),
        revision: current.revision,
        base: buildBody(type, { [name]: current.row[name] ?? null }),
      });
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
      return send(id, name, value, seen, { row: error.record, revision: error.revision });
    }
  }

  return async function save(row: Row, name: string, value: unknown): Promise<void> {
    const seen = row[name] ?? null;
    if (isSame(name, value, seen)) return;
    const putBack = change(row.id, { [name]: value });
    try {
      const saved = await send(row.id, name, value, seen, await load(row.id));
      if (saved === null) return;
      const shown = Object.keys(row).filter((each) => each in saved.row);
      change(row.id, Object.fromEntries(shown.map((each) => [each, saved.row[each]])));
      queries.setQueryData([account.id, "record", type.name, String(row.id), "page"], saved);
      void queries.invalidateQueries({ queryKey: [account.id, "record", type.name, String(row.id)] });
    } catch (refusal) {
      putBack();
      showError(refusal);
    }
  };
}
