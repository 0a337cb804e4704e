import { toTimestamp } from "../base/clock.ts";
import type { Problem } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { addParticipant, buildOverlayRow, lockRecordStatement } from "./overlays.ts";
import { pickEvents, publish, publishDerivedUpdate } from "./publish.ts";
import type { Attachments, Change, ChangeOptions, ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";
import { resolveCodes } from "./write/codes.ts";
import { inheritValues } from "./write/inherit.ts";
import { pickDefault } from "./write/input.ts";
import {
  completeAndValidate,
  diffValues,
  insertRow,
  nextIdStatement,
  readRow,
  sameValue,
  storedColumn,
  storedFields,
  writeChangedColumns,
  writeReferences,
} from "./write/save.ts";

// Creating and changing a record inside a transaction that is under way: what a caller asked for (create.ts, update.ts,
// which ask for the rights first), and what rules do because of it. One path for both, so that a cascade settles,
// stores and announces like any other change, and fails with it.

const noAttachments: Attachments = new Map();

type PendingChangeOptions = ChangeOptions & {
  /** values that come from elsewhere than the caller: the parent of a child */
  fixed?: Values;
  /** what was wrong with the input already */
  problems?: readonly Problem[];
  cause?: PendingChange;
  /** the account of `side` has had no values of this record before */
  isNewOverlay?: boolean;
  /** gathers what only the answer of the call shows */
  revealed?: Values;
};

class PendingChange implements Change {
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
  private readonly revealed: Values;
  readonly afterSaveActions: (() => void | Promise<void>)[] = [];
  /** Announcements of what this change brought about, held back until the change itself has been announced. */
  readonly heldEvents: (() => Promise<void>)[] = [];
  private readonly engine: Engine;

  constructor(
    engine: Engine,
    tx: Transaction,
    by: Caller,
    change: Pick<Change, "type" | "id" | "account" | "before" | "after" | "changed" | "given">,
    circumstances: PendingChangeOptions,
  ) {
    const { attachments = noAttachments, problems = [], extraEvent: happening, cause, revealed = {} } = circumstances;
    this.engine = engine;
    this.tx = tx;
    this.by = by;
    this.type = change.type;
    this.id = change.id;
    this.account = change.account;
    this.participant = circumstances.participant ?? null;
    this.isNewOverlay = circumstances.isNewOverlay ?? false;
    this.before = change.before;
    this.after = change.after;
    this.changed = change.changed;
    this.given = change.given;
    this.attachments = attachments;
    this.cause = cause ?? null;
    this.problems = [...problems];
    this.extraEvents = happening === undefined ? [] : [happening];
    this.revealed = revealed;
  }

  problem = (...problem: Problem): void => void this.problems.push(problem);
  create: Change["create"] = (type, values, options = {}) =>
    createUnchecked(this.engine, this.tx, this.by, this.engine.types.get(type), values as Values, {
      ...options,
      cause: this,
    });
  update: Change["update"] = (type, id, values, options = {}) =>
    updateUnchecked(this.engine, this.tx, this.by, this.engine.types.get(type), id, values as Values, {
      ...options,
      cause: this,
    });
  addDerivedUpdate = (type: string, id: number, before: Values, after: Values): void => {
    const moved = { type: this.engine.types.get(type), id, account: this.account, before, after };
    this.heldEvents.push(() => publishDerivedUpdate(this.engine, this.tx, this.by, moved));
  };
  reveal = (name: string, value: Values[string]): void => void Object.assign(this.revealed, { [name]: value });
  runAfterSave = (act: () => void | Promise<void>): void => void this.afterSaveActions.push(act);
  addEvent = (happening: ExtraEvent): void => void this.extraEvents.push(happening);

  /** What the rules of the type, and effects on the way, wanted once the record is there. */
  async runAfterSaveHooks(): Promise<void> {
    await this.engine.rules.forType(this.type).afterSave?.(this);
    for (const act of this.afterSaveActions) await act();
  }

  /** Causes are announced before what they brought about. */
  async publishInOrder(tell: () => Promise<void>): Promise<void> {
    const all = async () => {
      await tell();
      for (const consequence of this.heldEvents) await consequence();
    };
    if (this.cause === null) await all();
    else this.cause.heldEvents.push(all);
  }

  /** What the messages about the record tell of the first thing that happened to it: of two notes, the public one. */
  get eventFacts(): Readonly<Record<string, unknown>> {
    return this.extraEvents[0]?.facts ?? {};
  }
}

const pickChangeAccount = (by: Caller, { account, cause }: PendingChangeOptions): string =>
  account ?? cause?.account ?? by.account;

export async function createUnchecked(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  values: Values,
  circumstances: PendingChangeOptions = {},
): Promise<number> {
  const account = pickChangeAccount(by, circumstances);
  const given = { ...values, ...circumstances.fixed };
  const after: Values = {};
  for (const [name, field] of type.fieldEntries) {
    const value = given[name];
    after[name] = value === undefined || value === null ? (pickDefault(field, by) ?? null) : value;
  }
  if ("source" in type.fields && after.source == null) after.source = by.source || null; // the service names none
  const now = toTimestamp(by.now);
  after.created_at = now;
  after.updated_at = now;

  await engine.rules.forType(type.name).lockFirst?.(tx, { values: after });
  const problems: Problem[] = [...(circumstances.problems ?? [])];
  await resolveCodes(engine, tx, by, type, after, problems);
  await inheritValues(engine, tx, by, type, after);
  const sequence = tx.query(nextIdStatement(engine, type));
  const changed = new Set(Object.keys(values).filter((name) => values[name] != null));
  const id = Number((await sequence)[0]?.[0]);
  const facts = { type: type.name, id, account, before: null, after, changed, given: changed };
  const change = new PendingChange(engine, tx, by, facts, { ...circumstances, problems });
  await completeAndValidate(engine, type, change, change.problems);

  insertRow(engine, tx, type, id, account, after);
  writeReferences(engine, tx, type, id, account, null, after);
  await change.runAfterSaveHooks();
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account,
      action: "create",
      changes: { ...diffValues(type, null, after), ...change.extraChanges },
      before: null,
      after,
      events: pickEvents(type, "create", changed),
      extraEvents: change.extraEvents,
      facts: change.eventFacts,
    }),
  );
  return id;
}

/** The values of an active record; null when there is none. */
export async function loadActiveValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  lock = "",
): Promise<Values | null> {
  const built = engine.statements.get(`${type.name}#read within${lock}`, () => {
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    return `SELECT ${["a.id", ...columns].join(", ")} FROM ${type.ownTable} a WHERE a.id = $1 AND a.account_id = $2${active}${lock}`;
  });
  const [row] = await tx.query(built, [id, account]);
  return row === undefined ? null : readRow(type, row as Row, 1);
}

/** The same, locked until the end of the transaction. */
export async function lockActiveValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
): Promise<Values | null> {
  await engine.rules.forType(type.name).lockFirst?.(tx, { id });
  return loadActiveValues(engine, tx, type, id, account, " FOR NO KEY UPDATE OF a");
}

/** The same with the values of another account that works on it. */
export async function lockOverlayValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  side: string,
): Promise<{ account: string; values: Values } | null> {
  const read = engine.statements.get(`${type.name}#lock side within`, () => {
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    return `SELECT ${["a.home_account_id", ...columns].join(", ")} FROM ${buildOverlayRow(type)} a WHERE a.id = $1${active}`;
  });
  tx.send(lockRecordStatement(engine, type), [id]);
  const [row] = await tx.query(read, [id, side]);
  return row === undefined ? null : { account: row[0] as string, values: readRow(type, row as Row, 1) };
}

/** Locks the record and changes it; no rights are asked for. */
export async function updateUnchecked(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  values: Values,
  circumstances: PendingChangeOptions = {},
): Promise<boolean> {
  const { participant: side = null } = circumstances;
  if (side !== null) return updateOverlay(engine, tx, by, type, id, side, values, circumstances);
  const account = pickChangeAccount(by, circumstances);
  const before = await lockActiveValues(engine, tx, type, id, account);
  if (before === null) return false;
  await commitChange(engine, type, prepareChange(engine, tx, by, type, { id, account, before }, values, circumstances));
  return true;
}

async function updateOverlay(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  side: string,
  values: Values,
  circumstances: PendingChangeOptions,
): Promise<boolean> {
  const isNewThere = await addParticipant(engine, tx, type, id, side, by.now);
  const locked = await lockOverlayValues(engine, tx, type, id, side);
  if (locked === null) return false;
  const row = { id, account: locked.account, before: locked.values };
  await commitChange(
    engine,
    type,
    prepareChange(engine, tx, by, type, row, values, { ...circumstances, isNewOverlay: isNewThere }),
  );
  return true;
}

/** The change that giving these values to a locked record would be. */
export function prepareChange(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  { id, account, before }: { id: number; account: string; before: Values },
  values: Values,
  circumstances: PendingChangeOptions = {},
): PendingChange {
  const after: Values = { ...before };
  for (const [name, value] of Object.entries(values)) after[name] = mergeValue(type, name, before[name], value);
  const changed = new Set(
    Object.keys(values).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
  );
  const given = new Set(Object.keys(values));
  const facts = { type: type.name, id, account, before, after, changed, given };
  return new PendingChange(engine, tx, by, facts, circumstances);
}

/** Settles, stores and announces the change of a record that exists; answers whether it changed anything. */
export async function commitChange(engine: Engine, type: Type, change: PendingChange): Promise<boolean> {
  const { tx, by, id, account, participant: side, after, extraEvents: happenings } = change;
  const before = change.before as Values;
  await completeAndValidate(engine, type, change, change.problems);
  const changes = { ...diffValues(type, before, after), ...change.extraChanges };
  const differs = Object.keys(changes).length > 0;
  const touch = () => {
    after.updated_at = toTimestamp(by.now);
    writeChangedColumns(engine, tx, type, id, account, before, after, side);
  };
  const touched = differs || change.attachments.size > 0;
  if (touched) touch();
  else if (internalFieldsDiffer(type, before, after)) writeChangedColumns(engine, tx, type, id, account, before, after);
  const passes = [...change.changed].some((name) => type.fields[name]?.transient);
  if (touched || passes || change.afterSaveActions.length > 0) await change.runAfterSaveHooks();
  if (!touched && happenings.length > 0) touch();
  // Setting a field to the value it has changes nothing: no audit line, no event.
  if (!differs && happenings.length === 0) {
    await change.publishInOrder(async () => {});
    return touched || passes;
  }
  const fields = new Set(
    Object.keys(type.fields).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
  );
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account: side ?? account,
      participant: side,
      action: change.isNewOverlay ? "create" : "update",
      changes,
      before,
      after,
      events: pickEvents(type, change.isNewOverlay ? "create" : "update", fields),
      extraEventNames: happenings.map(({ event }) => `${type.name}.${event}`),
      extraEvents: happenings,
      facts: change.eventFacts,
    }),
  );
  return true;
}

/** What the service keeps for itself is stored without a word. */
const internalFieldsDiffer = (type: Type, before: Values, after: Values): boolean =>
  type.fieldEntries.some(([name, field]) => field.internal && !sameValue(field, before[name], after[name]));

/** Custom fields and members of a recurrence that are not named keep their value. */
function mergeValue(
  type: Type,
  name: string,
  before: Values[string] | undefined,
  given: Values[string],
): Values[string] {
  const kind = type.fields[name]?.kind;
  if ((kind !== "customFields" && kind !== "recurrence") || given === null || before == null) return given;
  return { ...(before as object), ...(given as object) };
}
