import { stampOf } from "../base/clock.ts";
import type { Problem } from "../base/errors.ts";
import type { Row, Transaction } from "../storage/database.ts";
import { announce, announceQuietly, eventsOf } from "./announce.ts";
import type { Caller } from "./caller.ts";
import { resolveCodes } from "./codes.ts";
import type { Engine } from "./engine.ts";
import { inherit } from "./inherit.ts";
import { defaultOf } from "./input.ts";
import type { Attachments, Change, Consequence, Happening, Values } from "./rules.ts";
import {
  changesOf,
  insert,
  nextId,
  readRow,
  sameValue,
  settle,
  store,
  storedColumn,
  storedFields,
  storeReferences,
} from "./save.ts";
import { lockRecord, oneSide, openSide } from "./sides.ts";
import type { Type } from "./types.ts";

// Creating and changing a record inside a transaction that is under way: what a caller asked for (create.ts, update.ts,
// which ask for the rights first), and what rules do because of it. One path for both, so that a cascade settles,
// stores and announces like any other change, and fails with it.

const noAttachments: Attachments = new Map();

type Circumstances = Consequence & {
  /** values that come from elsewhere than the caller: the parent of a child */
  fixed?: Values;
  /** what was wrong with the input already */
  problems?: readonly Problem[];
  cause?: ChangeUnderWay;
  /** the account of `side` has had no values of this record before */
  isNewThere?: boolean;
  /** gathers what only the answer of the call shows */
  revealed?: Values;
};

class ChangeUnderWay implements Change {
  readonly tx: Transaction;
  readonly by: Caller;
  readonly type: string;
  readonly id: number;
  readonly account: string;
  readonly side: string | null;
  readonly isNewThere: boolean;
  readonly before: Values | null;
  readonly after: Values;
  readonly changed: ReadonlySet<string>;
  readonly given: ReadonlySet<string>;
  readonly attachments: Attachments;
  readonly cause: ChangeUnderWay | null;
  readonly problems: Problem[];
  readonly happenings: Happening[];
  readonly told: Change["told"] = {};
  private readonly revealed: Values;
  readonly acts: (() => void | Promise<void>)[] = [];
  /** Announcements of what this change brought about, held back until the change itself has been announced. */
  readonly held: (() => Promise<void>)[] = [];
  private readonly engine: Engine;

  constructor(
    engine: Engine,
    tx: Transaction,
    by: Caller,
    change: Pick<Change, "type" | "id" | "account" | "before" | "after" | "changed" | "given">,
    circumstances: Circumstances,
  ) {
    const { attachments = noAttachments, problems = [], happening, cause, revealed = {} } = circumstances;
    this.engine = engine;
    this.tx = tx;
    this.by = by;
    this.type = change.type;
    this.id = change.id;
    this.account = change.account;
    this.side = circumstances.side ?? null;
    this.isNewThere = circumstances.isNewThere ?? false;
    this.before = change.before;
    this.after = change.after;
    this.changed = change.changed;
    this.given = change.given;
    this.attachments = attachments;
    this.cause = cause ?? null;
    this.problems = [...problems];
    this.happenings = happening === undefined ? [] : [happening];
    this.revealed = revealed;
  }

  problem = (...problem: Problem): void => void this.problems.push(problem);
  create = (type: string, values: Values, more: Consequence = {}): Promise<number> =>
    createWithin(this.engine, this.tx, this.by, this.engine.types.named(type), values, { ...more, cause: this });
  update = (type: string, id: number, values: Values, more: Consequence = {}): Promise<boolean> =>
    updateWithin(this.engine, this.tx, this.by, this.engine.types.named(type), id, values, { ...more, cause: this });
  moved = (type: string, id: number, before: Values, after: Values): void => {
    const moved = { type: this.engine.types.named(type), id, account: this.account, before, after };
    this.held.push(() => announceQuietly(this.engine, this.tx, this.by, moved));
  };
  reveal = (name: string, value: Values[string]): void => void Object.assign(this.revealed, { [name]: value });
  whenSaved = (act: () => void | Promise<void>): void => void this.acts.push(act);
  happened = (happening: Happening): void => void this.happenings.push(happening);

  /** What the rules of the type, and effects on the way, wanted once the record is there. */
  async isSaved(): Promise<void> {
    await this.engine.rules.of(this.type).saved?.(this);
    for (const act of this.acts) await act();
  }

  /** Causes are announced before what they brought about. */
  async announced(tell: () => Promise<void>): Promise<void> {
    const all = async () => {
      await tell();
      for (const consequence of this.held) await consequence();
    };
    if (this.cause === null) await all();
    else this.cause.held.push(all);
  }

  /** What the messages about the record tell of the first thing that happened to it: of two notes, the public one. */
  get facts(): Readonly<Record<string, unknown>> {
    return this.happenings[0]?.facts ?? {};
  }
}

const accountOf = (by: Caller, { account, cause }: Circumstances): string => account ?? cause?.account ?? by.account;

export async function createWithin(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  values: Values,
  circumstances: Circumstances = {},
): Promise<number> {
  const account = accountOf(by, circumstances);
  const given = { ...values, ...circumstances.fixed };
  const after: Values = {};
  for (const [name, field] of type.entries) {
    const value = given[name];
    after[name] = value === undefined || value === null ? (defaultOf(field, by) ?? null) : value;
  }
  if ("source" in type.fields && after.source == null) after.source = by.source || null; // the service names none
  const now = stampOf(by.now);
  after.created_at = now;
  after.updated_at = now;

  await engine.rules.of(type.name).turns?.(tx, { values: after });
  const problems: Problem[] = [...(circumstances.problems ?? [])];
  await resolveCodes(engine, tx, by, type, after, problems);
  await inherit(engine, tx, by, type, after);
  const sequence = tx.query(nextId(engine, type));
  const changed = new Set(Object.keys(values).filter((name) => values[name] != null));
  const id = Number((await sequence)[0]?.[0]);
  const facts = { type: type.name, id, account, before: null, after, changed, given: changed };
  const change = new ChangeUnderWay(engine, tx, by, facts, { ...circumstances, problems });
  await settle(engine, type, change, change.problems);

  insert(engine, tx, type, id, account, after);
  storeReferences(engine, tx, type, id, account, null, after);
  await change.isSaved();
  await change.announced(() =>
    announce(engine, tx, by, {
      type,
      id,
      account,
      action: "create",
      changes: { ...changesOf(type, null, after), ...change.told },
      before: null,
      after,
      events: eventsOf(type, "create", changed),
      happened: change.happenings,
      facts: change.facts,
    }),
  );
  return id;
}

/** The values of an active record; null when there is none. */
export async function readWithin(
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
export async function lockWithin(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
): Promise<Values | null> {
  await engine.rules.of(type.name).turns?.(tx, { id });
  return readWithin(engine, tx, type, id, account, " FOR NO KEY UPDATE OF a");
}

/** The same with the values of another account that works on it. */
export async function lockSideWithin(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  side: string,
): Promise<{ account: string; values: Values } | null> {
  const read = engine.statements.get(`${type.name}#lock side within`, () => {
    const columns = storedFields(type).map((name) => storedColumn(type, name, engine.types));
    const active = type.archivable === null ? "" : " AND a.life_cycle = 'active'";
    return `SELECT ${["a.home_account_id", ...columns].join(", ")} FROM ${oneSide(type)} a WHERE a.id = $1${active}`;
  });
  tx.send(lockRecord(engine, type), [id]);
  const [row] = await tx.query(read, [id, side]);
  return row === undefined ? null : { account: row[0] as string, values: readRow(type, row as Row, 1) };
}

/** Locks the record and changes it; no rights are asked for. */
export async function updateWithin(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  values: Values,
  circumstances: Circumstances = {},
): Promise<boolean> {
  const { side = null } = circumstances;
  if (side !== null) return updateSideWithin(engine, tx, by, type, id, side, values, circumstances);
  const account = accountOf(by, circumstances);
  const before = await lockWithin(engine, tx, type, id, account);
  if (before === null) return false;
  await carryOut(engine, type, changeOf(engine, tx, by, type, { id, account, before }, values, circumstances));
  return true;
}

async function updateSideWithin(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  side: string,
  values: Values,
  circumstances: Circumstances,
): Promise<boolean> {
  const isNewThere = await openSide(engine, tx, type, id, side, by.now);
  const locked = await lockSideWithin(engine, tx, type, id, side);
  if (locked === null) return false;
  const row = { id, account: locked.account, before: locked.values };
  await carryOut(engine, type, changeOf(engine, tx, by, type, row, values, { ...circumstances, isNewThere }));
  return true;
}

/** The change that giving these values to a locked record would be. */
export function changeOf(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  { id, account, before }: { id: number; account: string; before: Values },
  values: Values,
  circumstances: Circumstances = {},
): ChangeUnderWay {
  const after: Values = { ...before };
  for (const [name, value] of Object.entries(values)) after[name] = merged(type, name, before[name], value);
  const changed = new Set(
    Object.keys(values).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
  );
  const given = new Set(Object.keys(values));
  const facts = { type: type.name, id, account, before, after, changed, given };
  return new ChangeUnderWay(engine, tx, by, facts, circumstances);
}

/** Settles, stores and announces the change of a record that exists; answers whether it changed anything. */
export async function carryOut(engine: Engine, type: Type, change: ChangeUnderWay): Promise<boolean> {
  const { tx, by, id, account, side, after, happenings } = change;
  const before = change.before as Values;
  await settle(engine, type, change, change.problems);
  const changes = { ...changesOf(type, before, after), ...change.told };
  const differs = Object.keys(changes).length > 0;
  const touch = () => {
    after.updated_at = stampOf(by.now);
    store(engine, tx, type, id, account, before, after, side);
  };
  const touched = differs || change.attachments.size > 0;
  if (touched) touch();
  else if (differsInside(type, before, after)) store(engine, tx, type, id, account, before, after);
  const passes = [...change.changed].some((name) => type.fields[name]?.transient);
  if (touched || passes || change.acts.length > 0) await change.isSaved();
  if (!touched && happenings.length > 0) touch();
  // Setting a field to the value it has changes nothing: no audit line, no event.
  if (!differs && happenings.length === 0) {
    await change.announced(async () => {});
    return touched || passes;
  }
  const fields = new Set(
    Object.keys(type.fields).filter((name) => !sameValue(type.fields[name], before[name], after[name])),
  );
  await change.announced(() =>
    announce(engine, tx, by, {
      type,
      id,
      account: side ?? account,
      side,
      action: change.isNewThere ? "create" : "update",
      changes,
      before,
      after,
      events: eventsOf(type, change.isNewThere ? "create" : "update", fields),
      happenings: happenings.map(({ event }) => `${type.name}.${event}`),
      happened: happenings,
      facts: change.facts,
    }),
  );
  return true;
}

/** What the service keeps for itself is stored without a word. */
const differsInside = (type: Type, before: Values, after: Values): boolean =>
  type.entries.some(([name, field]) => field.internal && !sameValue(field, before[name], after[name]));

/** Custom fields and members of a recurrence that are not named keep their value. */
function merged(type: Type, name: string, before: Values[string] | undefined, given: Values[string]): Values[string] {
  const kind = type.fields[name]?.kind;
  if ((kind !== "customFields" && kind !== "recurrence") || given === null || before == null) return given;
  return { ...(before as object), ...(given as object) };
}
