import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { RevisedRow, Row } from "../../api/index.ts";
import { showError, showUndo } from "../../elements/toast.tsx";
import { getFieldKind } from "../../fields/index.ts";
import { StaleWrite, sendWrite } from "../../live/write-queue.ts";
import type { NoteRow } from "../../queries/record-page.ts";
import { listQueries, pagePath, recordQueries } from "../../queries/records.ts";

// Changes of a record: shown immediately, sent in order, each for the revision that the page shows. If another person
// changed the same field meanwhile, the person decides.

export type Changes = Readonly<Record<string, unknown>>;
/** A field that both changed: the page's value and the record's current one. */
export type Collision = { record?: number; field: string; mine: unknown; theirs: unknown; before: unknown };
/** Null: keep the others' values. */
export type CollisionChoice = (collisions: readonly Collision[]) => Promise<Changes | null>;

export const CollisionContext = createContext<CollisionChoice>(async () => null);

/** A row's value in the format of the API: references by id. */
export function toWire(type: RecordType, name: string, value: unknown): unknown {
  const field = type.fields[name];
  if (field === undefined || value === null || value === undefined) return value ?? null;
  const { toWire: convert } = getFieldKind(field);
  return convert === undefined ? value : convert(value);
}

const memberName = (type: RecordType, name: string): string =>
  type.fields[name]?.kind === "reference" ? `${name}_id` : name;

/** Changes with the member names of the API. */
export const buildBody = (type: RecordType, changes: Changes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [memberName(type, name), toWire(type, name, value)]),
  );

export const isSame = (type: RecordType, name: string, one: unknown, other: unknown): boolean =>
  JSON.stringify(toWire(type, name, one)) === JSON.stringify(toWire(type, name, other));

/** Transient fields act on save and aren't stored, so they can't collide. */
export const isStored = (type: RecordType, name: string): boolean => {
  const field = type.fields[name];
  return field !== undefined && !field.transient && field.kind !== "attachmentsOf";
};

/** Leaves out values that the record already has: choosing the others' value isn't a change. */
export const leaveOutSame = (type: RecordType, changes: Changes, row: Row): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isStored(type, name) || !isSame(type, name, value, row[name])),
  );

const pickStored = (type: RecordType, changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => isStored(type, name)));

/** `before`: the changed fields' values that the person saw. */
export const findCollisions = (type: RecordType, changes: Changes, before: Changes, row: Row): Collision[] =>
  Object.keys(before)
    .filter((name) => !isSame(type, name, before[name], row[name]) && !isSame(type, name, changes[name], row[name]))
    .map((field) => ({ record: row.id, field, mine: changes[field], theirs: row[field], before: before[field] }));

const noteFields = ["note", "internal_note"];

export type SaveOptions = {
  /** shown in the toast that offers to undo the change; without it there is no toast */
  message?: string;
  /** the idempotency key: the server executes the change once, however often it is sent */
  key?: string;
  /** the stored value may differ from the sent one: the page waits for the response */
  waits?: boolean;
  /** the fields' values when their editor opened; other fields are compared with the current page */
  seen?: Changes;
};

/** One save, including its repetitions. */
type Attempt = {
  startedAt: number;
  waits: boolean;
  key?: string;
  /** the row restored when the save is rejected or undone */
  before: Row;
};

export function useSave(type: RecordType, id: string) {
  const { account, api, who } = useCurrentAccount();
  const queries = useQueryClient();
  const chooseAmong = useContext(CollisionContext);
  const key = recordQueries.all(api, type.name, id);
  const { queryKey: pageKey } = recordQueries.page(api, type, id);
  const path = pagePath(type, id);
  const get = (): RevisedRow | undefined => queries.getQueryData(pageKey);
  const put = (record: RevisedRow): void => void queries.setQueryData(pageKey, record);

  /** Null if the person chose to keep the others' values. */
  async function send(changes: Changes, base: RevisedRow, attempt: Attempt): Promise<RevisedRow | null> {
    const stored = Object.keys(changes).filter((name) => isStored(type, name));
    const note = noteFields.find((name) => typeof changes[name] === "string");
    try {
      return await sendWrite(who.person.id, {
        account: account.id,
        path,
        body: buildBody(type, changes),
        revision: base.revision,
        key: attempt.key,
        base: {
          ...Object.fromEntries(stored.map((name) => [memberName(type, name), toWire(type, name, base.row[name])])),
          // A note whose response was lost must not be added twice: check whether it exists before sending it again.
          ...(note === undefined ? {} : { [note]: changes[note] }),
        },
      });
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
      const current: RevisedRow = { row: error.record, revision: error.revision };
      if (note !== undefined && (await hasNote(String(changes[note]), attempt.startedAt))) return current;
      const before = Object.fromEntries(stored.map((name) => [name, base.row[name]]));
      const collisions = findCollisions(type, changes, before, current.row);
      if (collisions.length === 0) return send(changes, current, attempt);
      put(current);
      attempt.before = current.row;
      const decided = await decide(changes, collisions, current.row);
      if (decided === null) return null;
      if (!attempt.waits) put({ ...current, row: { ...current.row, ...pickStored(type, decided) } });
      attempt.key = undefined; // the key belongs to the original change
      return send(decided, current, attempt);
    }
  }

  /** Null if the person chose to keep the others' values. */
  async function decide(changes: Changes, collisions: readonly Collision[], row: Row): Promise<Changes | null> {
    const chosen = await chooseAmong(collisions);
    const decided = chosen === null ? {} : leaveOutSame(type, { ...changes, ...chosen }, row);
    return Object.keys(decided).length === 0 ? null : decided;
  }

  /** Whether the person's own note has arrived since; clocks may differ by a minute. */
  async function hasNote(text: string, since: number): Promise<boolean> {
    const { rows } = await api.list<NoteRow>(`${path}/notes`, { sort: "-id", per_page: "20" });
    return rows.some(
      (row) =>
        row.person?.id === who.person.id &&
        row.text.trim() === text.trim() &&
        Date.parse(row.created_at) > since - 60_000,
    );
  }

  /** Resolves to false if the person chose to keep the others' values. */
  return async function save(
    wanted: Changes,
    { message, key: changeKey, waits = false, seen = {} }: SaveOptions = {},
  ): Promise<boolean> {
    const before = get();
    if (before === undefined) return false;
    // While an editor is open, the page shows the changes of others (D-757).
    const edited = Object.entries(pickStored(type, seen)).filter(([name]) => name in wanted);
    const collisions = findCollisions(type, wanted, Object.fromEntries(edited), before.row);
    const changes = collisions.length === 0 ? wanted : await decide(wanted, collisions, before.row);
    if (changes === null) return false;
    const shown = waits ? {} : pickStored(type, changes);
    await queries.cancelQueries({ queryKey: pageKey });
    const current = get() ?? before;
    put({ ...current, row: { ...current.row, ...shown } });
    const attempt: Attempt = { startedAt: Date.now(), waits, key: changeKey, before: before.row };
    try {
      const saved = await send(changes, before, attempt);
      if (saved === null) return false;
      put(saved);
      // Everything except the record itself, which the response contains.
      void queries.invalidateQueries({ queryKey: key, predicate: ({ queryKey }) => queryKey[4] !== "page" });
      void queries.invalidateQueries({ queryKey: listQueries.all(api) });
      if (message !== undefined)
        showUndo(message, () => save(pickBefore(shown, attempt.before)).catch((error: unknown) => showError(error)));
      return true;
    } catch (error) {
      const now = get();
      if (now !== undefined) put({ ...now, row: { ...now.row, ...pickBefore(shown, attempt.before) } });
      throw error;
    }
  };
}

const pickBefore = (changes: Changes, row: Row): Changes =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, row[name] ?? null]));
