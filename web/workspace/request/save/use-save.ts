import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { RecordType } from "../../../../records/vocabulary/index.ts";
import { ApiError, type Row, type SavedRecord } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { getFieldKind } from "../../../fields/index.ts";
import { showError, showUndo } from "../../../parts/toast.tsx";
import { pagePath, recordKey } from "../queries.ts";

// Changes of a record: shown at once, sent in order, each meant for the revision that the page shows. Where somebody
// else changed the same field in the meantime, the person decides.

export type Changes = Readonly<Record<string, unknown>>;
/** A field that both changed: what the page wanted, and what the record has now. */
export type Collision = { field: string; mine: unknown; theirs: unknown; before: unknown };
/** Null: leave everything as the others have it. */
export type CollisionChoice = (collisions: readonly Collision[]) => Promise<Changes | null>;

export const CollisionContext = createContext<CollisionChoice>(async () => null);

/** One change after the other, per record. */
const queues = new Map<string, Promise<unknown>>();
function enqueue<T>(key: string, work: () => Promise<T>): Promise<T> {
  const next = (queues.get(key) ?? Promise.resolve()).catch(() => {}).then(work);
  queues.set(key, next);
  return next;
}

/** A value of a row as the API takes it: references by their id. */
export function toWire(type: RecordType, name: string, value: unknown): unknown {
  const field = type.fields[name];
  if (field === undefined) return value;
  return getFieldKind(field).toWire?.(value) ?? value ?? null;
}

function buildBody(type: RecordType, changes: Changes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      type.fields[name]?.kind === "reference" ? `${name}_id` : name,
      toWire(type, name, value),
    ]),
  );
}

const isSame = (type: RecordType, name: string, one: unknown, other: unknown): boolean =>
  JSON.stringify(toWire(type, name, one)) === JSON.stringify(toWire(type, name, other));

/** Fields that act on save and are not stored collide with nothing. */
const isStored = (type: RecordType, name: string): boolean => {
  const field = type.fields[name];
  return field !== undefined && !field.transient && field.kind !== "attachmentsOf";
};

export type SaveOptions = {
  /** said in the toast that offers to undo it; without it there is none */
  message?: string;
  keepalive?: boolean;
};

export function useSave(type: RecordType, id: string) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const chooseAmong = useContext(CollisionContext);
  const key = recordKey(account.id, type, id);
  const pageKey = [...key, "page"];
  const path = pagePath(type, id);
  const get = (): SavedRecord | undefined => queries.getQueryData<SavedRecord>(pageKey);
  const put = (record: SavedRecord): void => void queries.setQueryData<SavedRecord>(pageKey, record);

  async function sendChanges(changes: Changes, base: SavedRecord, keepalive: boolean): Promise<SavedRecord | null> {
    try {
      return await api.save(path, buildBody(type, changes), { revision: base.revision, keepalive });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || error.current === null) throw error;
      const { current } = error;
      const collisions = Object.entries(changes)
        .filter(([name]) => isStored(type, name) && !isSame(type, name, base.row[name], current.row[name]))
        .filter(([name, mine]) => !isSame(type, name, mine, current.row[name]))
        .map(([field, mine]): Collision => ({ field, mine, theirs: current.row[field], before: base.row[field] }));
      if (collisions.length === 0) return sendChanges(changes, current, keepalive);
      put(current);
      const chosen = await chooseAmong(collisions);
      if (chosen === null) return null;
      return sendChanges({ ...changes, ...chosen }, current, keepalive);
    }
  }

  /** Resolves to false where the person chose to leave it as the others have it. */
  async function save(changes: Changes, { message, keepalive = false }: SaveOptions = {}): Promise<boolean> {
    const before = get();
    if (before === undefined) return false;
    const shown = Object.fromEntries(Object.entries(changes).filter(([name]) => isStored(type, name)));
    put({ ...before, row: { ...before.row, ...shown } });
    return enqueue(key.join(" "), async () => {
      // The changes before this one may have moved the revision; the page's own values are not theirs.
      const base: SavedRecord = { row: before.row, revision: get()?.revision ?? before.revision };
      try {
        const saved = await sendChanges(changes, base, keepalive);
        if (saved === null) return false;
        put(saved);
        for (const part of ["notes", "audit", "targets", "time"])
          void queries.invalidateQueries({ queryKey: [...key, part] });
        void queries.invalidateQueries({ queryKey: [account.id, "list"] });
        if (message !== undefined) offerUndo(message, pickBefore(shown, before.row));
        return true;
      } catch (error) {
        const now = get();
        if (now !== undefined) put({ ...now, row: { ...now.row, ...pickBefore(shown, before.row) } });
        throw error;
      }
    });
  }

  const offerUndo = (message: string, previous: Changes): void =>
    showUndo(message, () => save(previous).catch((error: unknown) => showError(error)));

  return save;
}

const pickBefore = (changes: Changes, row: Row): Changes =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, row[name] ?? null]));
