import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../records/vocabulary/index.ts";
import { toTimestamp } from "../base/clock.ts";
import type { Problem } from "../base/errors.ts";
import type { Transaction } from "../database/database.ts";
import type { Caller } from "./caller.ts";
import { getKind } from "./kinds/index.ts";
import type { Value } from "./kinds/kind.ts";
import type { Operation } from "./operation.ts";
import { addParticipant } from "./overlays.ts";
import { pickEvents, publish, publishDerivedUpdate } from "./publish.ts";
import type { Attachments, Change, ChangeOptions, ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { readReferencesAhead } from "./write/check-references.ts";
import { resolveCodes } from "./write/codes.ts";
import { diffValues, sameValue } from "./write/compare.ts";
import { completeAndValidate } from "./write/complete.ts";
import { inheritValues } from "./write/inherit.ts";
import { pickDefault } from "./write/input.ts";
import { lockActiveValues, lockOverlayValues } from "./write/lock.ts";
import { createBlankValues } from "./write/stored-row.ts";
import { countChange, insertRow, nextIdStatement, writeChangedColumns } from "./write/write-row.ts";

// Creating and changing a record inside a transaction: for a caller (create.ts and update.ts check the rights first)
// and for rules. Both take the same path, so a change by a rule is completed, stored and published like any other, and
// fails with the change that caused it.

const noAttachments: Attachments = new Map();

type PendingChangeOptions = ChangeOptions & {
  /** values that do not come from the caller: the parent of a child */
  fixed?: Values;
  /** problems that were found in the input */
  problems?: readonly Problem[];
  cause?: PendingChange;
  /** the participant has had no overlay of this record before */
  isNewOverlay?: boolean;
  /** collects the members that only the response of this call shows */
  revealed?: Values;
  /** gets the values of a new record */
  stored?: { values?: Values };
};

class PendingChange implements Change {
  readonly operation: Operation;
  readonly tx: Transaction;
  readonly by: Caller;
  readonly type: string;
  readonly id: number;
  readonly account: string;
  readonly participant: string | null;
  readonly isNewOverlay: boolean;
  readonly before: Values | null;
  readonly after: Values;
  readonly changed: ReadonlySet<string>;
  readonly given: ReadonlySet<string>;
  readonly attachments: Attachments;
  readonly cause: PendingChange | null;
  readonly problems: Problem[];
  readonly extraEvents: ExtraEvent[];
  readonly extraChanges: Change["extraChanges"] = {};
  readonly afterSaveActions: (() => void | Promise<void>)[] = [];
  /** Events of changes that this one caused: they are published after its own. */
  private readonly heldEvents: (() => Promise<void>)[] = [];
  private readonly revealed: Values;

  constructor(
    operation: Operation,
    change: Pick<Change, "id" | "account" | "before" | "after" | "changed" | "given">,
    options: PendingChangeOptions,
  ) {
    const { attachments = noAttachments, problems = [], extraEvent, cause, revealed = {} } = options;
    this.operation = operation;
    this.tx = operation.tx;
    this.by = operation.by;
    this.type = operation.type.name;
    this.id = change.id;
    this.account = change.account;
    this.participant = options.participant ?? null;
    this.isNewOverlay = options.isNewOverlay ?? false;
    this.before = change.before;
    this.after = change.after;
    this.changed = change.changed;
    this.given = change.given;
    this.attachments = attachments;
    this.cause = cause ?? null;
    this.problems = [...problems];
    this.extraEvents = extraEvent === undefined ? [] : [extraEvent];
    this.revealed = revealed;
  }

  /** A reference to nothing is found by the check of references and by a hook that looks for the record: it is one problem. */
  problem = (...problem: Problem): void => {
    if (!this.problems.some((each) => isDeepStrictEqual(each, problem))) this.problems.push(problem);
  };
  create: Change["create"] = (type, values, options = {}) =>
    createUnchecked(this.forType(type), values as Values, { ...options, cause: this });
  update: Change["update"] = (type, id, values, options = {}) =>
    updateUnchecked(this.forType(type), id, values as Values, { ...options, cause: this });
  addDerivedUpdate = (name: string, id: number, before: Values, after: Values): void => {
    const { engine, tx, by, type } = this.forType(name);
    const update = { type, id, account: this.account, before, after };
    this.heldEvents.push(() => publishDerivedUpdate(engine, tx, by, update));
  };
  reveal = (name: string, value: Values[string]): void => void Object.assign(this.revealed, { [name]: value });
  get isDryRun(): boolean {
    return this.operation.engine.takeTemporaryId !== undefined;
  }

  runAfterSave = (action: () => void | Promise<void>): void => void this.afterSaveActions.push(action);
  addEvent = (event: ExtraEvent): void => void this.extraEvents.push(event);

  private forType(name: string): Operation {
    const { engine, tx, by } = this.operation;
    return { engine, tx, by, type: engine.types.get(name) };
  }

  /** Runs the hook of the type, then the actions that hooks and transitions have deferred until the record is stored. */
  async runAfterSaveHooks(): Promise<void> {
    await this.operation.engine.rules.forType(this.type).afterSave?.(this);
    for (const action of this.afterSaveActions) await action();
  }

  /** A cause is published before its consequences. */
  async publishInOrder(publishOwn: () => Promise<void>): Promise<void> {
    const publishAll = async () => {
      await publishOwn();
      for (const publishHeld of this.heldEvents) await publishHeld();
    };
    if (this.cause === null) await publishAll();
    else this.cause.heldEvents.push(publishAll);
  }

  /** Messages about the record carry the facts of its first event: of two notes, those of the public one. */
  get eventFacts(): Readonly<Record<string, unknown>> {
    return this.extraEvents[0]?.facts ?? {};
  }
}

const pickChangeAccount = (by: Caller, { account, cause }: PendingChangeOptions): string =>
  account ?? cause?.account ?? by.account;

/** Creates a record without a check of rights; returns its id. */
export async function createUnchecked(
  operation: Operation,
  values: Values,
  options: PendingChangeOptions = {},
): Promise<number> {
  const { engine, tx, by, type } = operation;
  const account = pickChangeAccount(by, options);
  const after = buildNewValues(type, by, { ...values, ...options.fixed });
  await engine.rules.forType(type.name).lockFirst?.(tx, { account, values: after });
  const problems: Problem[] = [...(options.problems ?? [])];
  await resolveCodes(operation, after, problems);
  await inheritValues(operation, after);
  const nextId = engine.takeTemporaryId === undefined ? nextIdStatement(engine, type) : null;
  const changed = new Set(Object.keys(values).filter((name) => values[name] != null));
  if (options.cause === undefined) {
    const facts = await engine.rules.forType(type.name).readAhead?.ofCreate?.(tx, { by, account, values: after });
    readReferencesAhead(engine, type, { tx, by, before: null, after, changed }, { facts: facts ?? [], nextId });
  }
  const id = Number(nextId === null ? engine.takeTemporaryId?.() : (await tx.query(nextId))[0]?.[0]);
  const facts = { id, account, before: null, after, changed, given: changed };
  const change = new PendingChange(operation, facts, { ...options, problems });
  await completeAndValidate(engine, type, change);

  insertRow({ engine, tx, by, type, id, account }, after);
  await change.runAfterSaveHooks();
  if (options.stored !== undefined) options.stored.values = after;
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account,
      action: "create",
      changes: Object.assign(diffValues(type, null, after), change.extraChanges),
      before: null,
      after,
      events: pickEvents(type, "create", changed),
      extraEvents: change.extraEvents,
      facts: change.eventFacts,
    }),
  );
  return id;
}

const listFields = ({ fieldEntries }: Type): readonly string[] => fieldEntries.map(([name]) => name);

/** The values of a new record: the given ones, defaults for the others. */
function buildNewValues(type: Type, by: Caller, given: Values): Values {
  const after = createBlankValues(type, listFields);
  for (const [name, value] of Object.entries(given)) if (value != null && name in after) after[name] = value;
  for (const [name, field] of type.savedFields.withDefault) after[name] ??= pickDefault(field, by) ?? null;
  if ("source" in type.fields && after.source == null) after.source = by.source || null; // the service has no source
  const now = toTimestamp(by.now);
  after.created_at = now;
  after.updated_at = now;
  return after;
}

/** Locks and changes a record without a check of rights; false when there is no such active record. */
export async function updateUnchecked(
  operation: Operation,
  id: number,
  values: Values,
  options: PendingChangeOptions = {},
): Promise<boolean> {
  if (options.participant != null) return updateOverlay(operation, id, options.participant, values, options);
  const { engine, tx, by, type } = operation;
  const account = pickChangeAccount(by, options);
  const before = await lockActiveValues(engine, tx, type, id, account);
  if (before === null) return false;
  await applyChange(prepareChange(operation, { id, account, before }, values, options));
  return true;
}

async function updateOverlay(
  operation: Operation,
  id: number,
  participant: string,
  values: Values,
  options: PendingChangeOptions,
): Promise<boolean> {
  const { engine, tx, type } = operation;
  const account = pickChangeAccount(operation.by, options);
  const isNewOverlay = await addParticipant({ ...operation, id, account }, participant);
  const before = await lockOverlayValues(engine, tx, type, { id, account }, participant);
  if (before === null) return false;
  const row = { id, account, before };
  await applyChange(prepareChange(operation, row, values, { ...options, isNewOverlay }));
  return true;
}

/** The change of a locked record to these values. */
export function prepareChange(
  operation: Operation,
  { id, account, before }: { id: number; account: string; before: Values },
  values: Values,
  options: PendingChangeOptions = {},
): PendingChange {
  const { type } = operation;
  const after: Values = { ...before };
  for (const [name, value] of Object.entries(values)) after[name] = mergeValue(type.fields[name], before[name], value);
  const given = new Set(Object.keys(values));
  // A field that shows a link is not among the stored values: setting it replaces the links.
  const isChanged = (name: string) =>
    type.fields[name]?.firstOfLink !== undefined || !sameValue(type.fields[name], before[name], after[name]);
  const changed = new Set([...given].filter(isChanged));
  return new PendingChange(operation, { id, account, before, after, changed, given }, options);
}

/** Completes, stores and publishes the change of an existing record; returns whether it changed anything. */
export async function applyChange(change: PendingChange): Promise<boolean> {
  const { operation, id, account, participant, after, extraEvents } = change;
  const { engine, tx, by, type } = operation;
  const before = change.before as Values;
  await completeAndValidate(engine, type, change);
  const changes = Object.assign(diffValues(type, before, after), change.extraChanges);
  const differs = Object.keys(changes).length > 0;
  const row = { engine, tx, by, type, id, account };
  const touch = () => {
    after.updated_at = toTimestamp(by.now);
    if (!writeChangedColumns(row, before, after, participant)) countChange(row);
  };
  const touched = differs || change.attachments.size > 0;
  if (touched) touch();
  else if (internalFieldsDiffer(type, before, after)) writeChangedColumns(row, before, after);
  const setsTransient = [...change.changed].some((name) => type.fields[name]?.transient);
  if (touched || setsTransient || change.afterSaveActions.length > 0) await change.runAfterSaveHooks();
  if (!touched && extraEvents.length > 0) touch();
  // Setting a field to the value it has changes nothing: no audit line, no event.
  if (!differs && extraEvents.length === 0) {
    await change.publishInOrder(async () => {});
    return touched || setsTransient;
  }
  const action = change.isNewOverlay ? "create" : "update";
  const fields = { has: (name: string) => !sameValue(type.fields[name], before[name], after[name]) };
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account: participant ?? account,
      participant,
      action,
      changes,
      before,
      after,
      events: pickEvents(type, action, fields),
      extraEventNames: extraEvents.map(({ event }) => `${type.name}.${event}`),
      extraEvents,
      facts: change.eventFacts,
    }),
  );
  return true;
}

/** A change of internal fields alone is stored and not published. */
const internalFieldsDiffer = (type: Type, before: Values, after: Values): boolean =>
  type.savedFields.internal.some(([name, field]) => !sameValue(field, before[name], after[name]));

/** Members that the input does not name keep their value, where the kind says so. */
function mergeValue(field: Field | undefined, before: Value | undefined, given: Value): Value {
  if (field === undefined || given === null || before == null) return given;
  return getKind(field).merge?.(before, given) ?? given;
}
