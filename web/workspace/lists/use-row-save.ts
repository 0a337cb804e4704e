import { useQueryClient } from "@tanstack/react-query";
import { useContext } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { RevisedRow, Row } from "../../api/index.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { StaleWrite, sendWrite } from "../../live/write-queue.ts";
import {
  buildBody,
  type Changes,
  CollisionContext,
  findCollisions,
  isSame,
  isStored,
  leaveOutSame,
} from "../../parts/save/use-save.ts";
import { showSavedRecord } from "../../queries/index.ts";
import { recordQueries } from "../../queries/records.ts";
import { rowQueries } from "../../queries/workspace/lists.ts";

// A change of a list row, in a cell or by moving its card: shown immediately, sent for the record's current revision as
// long as the row shows what the person saw. If another person changed the same field meanwhile, the person decides, as
// on the record's page.

/** Shows values of a row, also before the server has confirmed them. */
export type ShowChange = (id: number, part: Partial<Row>) => void;

/** One save, including its repetitions. `seen`: the changed fields' values that the person saw last. */
type Attempt = { seen: Changes };

type RowSaveOptions = {
  /** shown in the toast that offers to undo the change; without it there is no toast */
  message?: string;
};

/** Rejects if the server refuses, after the previous values are shown again. */
export type SaveRow = (row: Row, changes: Changes, options?: RowSaveOptions) => Promise<void>;

export function useRowSave(type: RecordType, show: ShowChange): SaveRow {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const chooseAmong = useContext(CollisionContext);

  const pick = (row: Row, names: readonly string[]): Changes =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

  /** The record with its revision; usually preloaded, because the focus has rested on the row. */
  const load = (id: number): Promise<RevisedRow> => queries.fetchQuery(rowQueries.record(api, type, id));

  /** Null if the person chose to keep the others' values. */
  async function send(id: number, changes: Changes, attempt: Attempt, current: RevisedRow): Promise<RevisedRow | null> {
    const { seen } = attempt;
    const collisions = findCollisions(type, changes, seen, current.row);
    if (collisions.length > 0) {
      attempt.seen = pick(current.row, Object.keys(seen));
      show(id, attempt.seen);
      const chosen = await chooseAmong(collisions);
      if (chosen === null) return null;
      const decided = leaveOutSame(type, { ...changes, ...chosen }, current.row);
      if (Object.keys(decided).length === 0) return null;
      show(id, Object.fromEntries(Object.entries(decided).filter(([name]) => name in seen)));
      return send(id, decided, attempt, current);
    }
    const stored = Object.keys(changes).filter((name) => isStored(type, name));
    try {
      return await sendWrite(who.person.id, {
        account: account.id,
        path: `/${type.collection}/${id}`,
        body: buildBody(type, changes),
        revision: current.revision,
        base: buildBody(type, pick(current.row, stored)),
      });
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
      return send(id, changes, attempt, { row: error.record, revision: error.revision });
    }
  }

  return async function save(row: Row, changes: Changes, { message }: RowSaveOptions = {}): Promise<void> {
    const names = Object.keys(changes).filter((name) => isStored(type, name) && name in row);
    const seen = pick(row, names);
    if (Object.keys(changes).every((name) => name in seen && isSame(type, name, changes[name], seen[name]))) return;
    show(row.id, Object.fromEntries(names.map((name) => [name, changes[name]])));
    const attempt: Attempt = { seen };
    try {
      const saved = await send(row.id, changes, attempt, await load(row.id));
      if (saved === null) return;
      const shown = pick(
        saved.row,
        Object.keys(row).filter((name) => name in saved.row),
      );
      show(row.id, shown);
      showSavedRecord(queries, account.id, type.name, saved);
      void queries.invalidateQueries({ queryKey: recordQueries.all(api, type.name, row.id) });
      if (message !== undefined) showUndo(message, () => save({ ...row, ...shown }, attempt.seen).catch(showError));
    } catch (refusal) {
      show(row.id, attempt.seen);
      throw refusal;
    }
  };
}
