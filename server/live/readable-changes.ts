import { findHiddenFields, mayReadAuditTrail } from "../actions/audit-trail.ts";
import { mayReadAllRows } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { ReadableRecords } from "../engine/read/readable-records.ts";
import type { Type } from "../engine/types.ts";
import type { LoggedChange } from "./change-log.ts";
import type { Topics } from "./topics.ts";

/** A change as the stream sends it. It has no values: clients load what they show through the API. */
export type ChangeMessage = Pick<LoggedChange, "type" | "id" | "kind" | "fields" | "by" | "at"> & {
  revision?: number;
  note?: number;
};

/** The changes that a stream subscribes to and its person may know of. */
export async function selectReadableChanges(
  { types }: Engine,
  { by, topics }: { by: Caller; topics: Topics },
  changes: readonly LoggedChange[],
  readable: ReadableRecords,
): Promise<ChangeMessage[]> {
  const hasTopic = ({ type, id }: LoggedChange) => topics.records.has(`${type}/${id}`);
  const wanted = changes.filter(
    (change) =>
      types.has(change.type) && (change.type === "broadcast" || topics.lists.has(change.type) || hasTopic(change)),
  );
  if (wanted.length === 0) return [];
  const names = [...new Set(wanted.map(({ type }) => type))];
  const revisions = new Map(
    await Promise.all(
      names.map(async (name) => {
        const ids = new Set(wanted.filter(({ type }) => type === name).map(({ id }) => id));
        return [name, await readable.load(by, types.get(name), [...ids])] as const;
      }),
    ),
  );
  const noteIds = wanted.flatMap(({ note }) => (note === null ? [] : [note]));
  const notes = noteIds.length === 0 ? null : await readable.load(by, types.get("note"), noteIds);
  const seesDetails = mayReadAuditTrail(by);
  return wanted.flatMap((change): ChangeMessage[] => {
    const { id, kind, note, at } = change;
    const type = types.get(change.type);
    const revision = revisions.get(type.name)?.get(id);
    // The rights on a deleted record can't be checked: topics of records were checked before.
    const isAllowed =
      kind === "delete"
        ? hasTopic(change) || (change.account === by.account && mayReadAllRows(type, by))
        : (revision !== undefined && (note === null || notes?.has(note) === true)) || mayHaveEnded(change, by);
    const fields = isAllowed ? pickFields(type, by, change) : null;
    if (fields === null) return [];
    return [
      {
        type: type.name,
        id,
        ...(revision === undefined ? {} : { revision }),
        kind,
        ...(note === null ? {} : { note }),
        // People who may not read the audit trail do not learn from the stream who changed which field.
        fields: seesDetails ? fields : [],
        by: seesDetails || change.by === by.person ? change.by : null,
        at,
      },
    ];
  });
}

/** D-307: a broadcast that a person may no longer read must leave their page; the stream sends only its id. */
const mayHaveEnded = ({ type, account, kind }: LoggedChange, by: Caller): boolean =>
  type === "broadcast" && kind === "update" && account === by.account;

/** Null: the change concerns the part of another account alone. */
function pickFields(type: Type, by: Caller, { account, kind, fields }: LoggedChange): readonly string[] | null {
  const hidden = findHiddenFields(type, by);
  const visible = fields.filter((name) => {
    const field = type.fields[name];
    if (field === undefined) return name in type.links || name === "life_cycle";
    return field.internal !== true && !hidden.includes(name);
  });
  if (account === by.account || type.sharing.perAccount.length === 0 || kind === "note") return visible;
  const shared = visible.filter((name) => !type.sharing.perAccount.includes(name));
  return shared.length === 0 && kind !== "delete" ? null : shared;
}
