import type { Field } from "../../records/vocabulary/index.ts";
import { pickZoneName, toIanaZone } from "../base/time-zones.ts";
import { ActiveTime } from "../business-time/active-time.ts";
import type { Calendar } from "../business-time/calendar.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import { buildReadClause } from "../engine/access.ts";
import { type Caller, listReachableAccounts } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isCode } from "../engine/kinds/code.ts";
import { getKind } from "../engine/kinds/index.ts";
import type { RelatedRecords } from "../engine/kinds/kind.ts";
import { buildLinkedClause, resolveLink } from "../engine/links.ts";
import type { Values } from "../engine/rules.ts";
import { allOf, always, type Clause } from "../engine/sql/clauses.ts";
import { conditionClause } from "../engine/sql/conditions.ts";
import type { Type } from "../engine/types.ts";
import { readRow, storedColumn, storedFields } from "../engine/write/stored-row.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { toDay } from "./language/dates.ts";
import { Failure } from "./language/errors.ts";
import { type DataRequest, type EvaluationContext, MissingData, maxListLength } from "./language/evaluation.ts";
import type { Numeric } from "./language/number.ts";
import { printNumber } from "./language/number.ts";
import { type Day, fromJson, Moment, Reference, type Value } from "./language/values.ts";
import { isReadableField } from "./rule-schema.ts";
import { mayReadField, toLanguageValue } from "./stored-to-value.ts";

// The data that a rule can read: records that its person may read, loaded when needed.

type LoadedRecord = { values: Values; readField: Map<string, Value | undefined> };

/** The records of another type that a field shows. */
const findRelated = (type: Type, field: Field): RelatedRecords | undefined =>
  getKind(field).related?.(field, type.name);

type EvaluationSetup = {
  engine: Engine;
  tx: Transaction;
  by: Caller;
  self: Reference | null;
  /** the record before the save; null: the record as it is */
  before: Values | null;
  /** `before` contains only the fields that differ */
  partly: boolean;
  /** the values of the save */
  saved: Values | null;
  pseudo: Readonly<Record<string, Value>>;
  /** creates the task of a `new` call */
  create(subject: string): Promise<Reference | null>;
};

const maxRecords = 20_000;
const maxSearchResults = 100;
const buildRecordKey = (type: string, id: number | string): string => `${type} ${id}`;

export class RecordEvaluationContext implements EvaluationContext {
  readonly zone: string;
  readonly locale: string;
  readonly clockOf24Hours: boolean;
  readonly now: Moment;
  readonly today: Day;
  readonly self: Reference | null;
  private readonly setup: EvaluationSetup;
  private readonly types: ReadonlyMap<string, Type>;
  private records = new Map<string, LoadedRecord | null>();
  private relations = new Map<string, Value>();
  private readonly lookups = new Map<string, Value>();
  private readonly createdTasks = new Map<string, Reference | null>();
  private readonly calendars = new Map<number | string, Calendar>();
  private readonly before: LoadedRecord | null;
  private saved: Values | null;
  private loadedCount = 0;

  constructor(setup: EvaluationSetup) {
    const { by, self, before, engine } = setup;
    const { time_zone, locale, time_format_24h } = by.accountRecord;
    this.setup = setup;
    this.types = getTypesByName(engine);
    this.zone = toIanaZone(time_zone);
    this.locale = locale;
    this.clockOf24Hours = time_format_24h;
    this.now = new Moment(Math.floor(by.now.getTime() / 1000) * 1000);
    this.today = toDay(this.now, this.zone);
    this.self = self;
    this.saved = setup.saved;
    this.before = before === null ? null : { values: before, readField: new Map() };
  }

  /** Drops everything that was loaded. If the rule's own record changed, the values of the save no longer apply. */
  invalidate(changed: readonly Reference[] = []): void {
    if (changed.some(({ type, id }) => this.self?.type === type && this.self.id === id)) this.saved = null;
    this.records = new Map();
    this.relations = new Map();
  }

  /** Provides the last values of a deleted record. */
  setRecord({ type, id }: Reference, values: Values): void {
    this.records.set(buildRecordKey(type, id), { values, readField: new Map() });
  }

  /** Whether this run left its own record as the save made it. */
  get isUnchanged(): boolean {
    return this.saved !== null;
  }

  hasRecord = (reference: Reference): boolean => this.getRecord(reference) !== null;

  pseudo(name: string): Value {
    return this.setup.pseudo[name] ?? null;
  }

  private getRecord(of: Reference): LoadedRecord | null {
    const row = this.records.get(buildRecordKey(of.type, of.id));
    if (row === undefined) throw new MissingData([{ kind: "record", type: of.type, id: of.id }]);
    return row;
  }

  field(of: Reference, name: string): Value | undefined {
    if (name === "id") return of.id;
    const type = this.types.get(of.type);
    if (type === undefined) return undefined;
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field !== undefined && isReadableField(field)) {
      const { related, holdsFiles } = getKind(field);
      if (related !== undefined || holdsFiles) return this.getRelation(of, name);
      const row = this.getRecord(of);
      return row === null ? null : this.readValue(type, row, of.id, name);
    }
    if (of.type === "note" && name === "public") return this.field(of, "internal") === false;
    const isRelation = [type.links, type.children, type.lists].some((table) => Object.hasOwn(table, name));
    return isRelation ? this.getRelation(of, name) : undefined;
  }

  private readValue(type: Type, row: LoadedRecord, id: number | string, name: string): Value {
    const cached = row.readField.get(name);
    if (cached !== undefined) return cached;
    const field = type.fields[name] as NonNullable<Type["fields"][string]>;
    let value: Value = null;
    if (mayReadField(field, this.setup.by, row.values, id)) {
      const stored = row.values[field.fallsBackTo ?? name];
      value =
        isCode(field) && stored != null
          ? (this.field(new Reference(field.to, stored as number), "reference") ?? null)
          : toLanguageValue(field, stored);
    }
    row.readField.set(name, value);
    return value;
  }

  private getRelation(of: Reference, name: string): Value {
    const value = this.relations.get(`${buildRecordKey(of.type, of.id)} ${name}`);
    if (value === undefined) throw new MissingData([{ kind: "relation", of, name }]);
    return value;
  }

  previousValue(name: string): Value {
    const { self } = this;
    const type = self === null ? undefined : this.types.get(self.type);
    if (self === null || type === undefined) return null;
    const isKnown = this.before !== null && (!this.setup.partly || Object.hasOwn(this.before.values, name));
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    const stored = isKnown && field !== undefined && findRelated(type, field)?.isSingle !== false;
    return stored ? this.readValue(type, this.before as LoadedRecord, self.id, name) : (this.field(self, name) ?? null);
  }

  display(of: Reference): string {
    const type = this.types.get(of.type);
    if (type === undefined || type.display === "id") return String(of.id);
    const value = this.field(of, type.display);
    return typeof value === "string" ? value : value == null ? "" : String(of.id);
  }

  find(type: string, value: string | Numeric): Reference | null {
    return this.getLookup({ kind: "find", type, value }) as Reference | null;
  }

  search(type: string, text: string): readonly Value[] {
    return text.trim() === "" ? [] : (this.getLookup({ kind: "search", type, text }) as readonly Value[]);
  }

  private getLookup(request: Extract<DataRequest, { kind: "find" | "search" }>): Value {
    const value = this.lookups.get(buildLookupKey(request));
    if (value === undefined) throw new MissingData([request]);
    return value;
  }

  create(subject: string, key: string): Reference | null {
    const task = this.createdTasks.get(key);
    if (task === undefined) throw new MissingData([{ kind: "new", subject, key }]);
    return task;
  }

  targetAt(calendar: Reference, start: Moment, minutes: number, businessDays: number, zone: string): Moment | null {
    const time = this.activeTime(calendar, zone);
    const after = businessDays > 0 ? time.addBusinessDays(start.milliseconds, businessDays) : start.milliseconds;
    const end = after === null || minutes === 0 ? after : time.addMinutes(after, minutes);
    return end === null ? null : new Moment(end);
  }

  minutesBetween(calendar: Reference, start: Moment, end: Moment, zone: string): number {
    return this.activeTime(calendar, zone).minutesBetween(start.milliseconds, end.milliseconds);
  }

  private activeTime(of: Reference, zone: string): ActiveTime {
    const calendar = this.calendars.get(of.id);
    if (calendar === undefined) throw new MissingData([{ kind: "hours", calendar: Number(of.id) }]);
    const name = zone === this.zone ? zone : pickZoneName(zone, this.setup.by.now);
    if (name === null) throw new Failure("evaluation", `'${zone.slice(0, 60)}' is no time zone`);
    return new ActiveTime(calendar, zone === this.zone ? zone : toIanaZone(name));
  }

  // ---- loading missing data

  async loadMissing(requests: readonly DataRequest[]): Promise<void> {
    const records = new Map<string, Set<number | string>>();
    const loads: Promise<void>[] = [];
    for (const request of requests) {
      if (request.kind !== "new") continue;
      const { key, subject } = request;
      if (!this.createdTasks.has(key)) this.createdTasks.set(key, await this.setup.create(subject));
      this.invalidate();
    }
    for (const request of requests) {
      if (request.kind === "record")
        records.set(request.type, (records.get(request.type) ?? new Set()).add(request.id));
      else if (request.kind === "relation") loads.push(this.loadRelation(request.of, request.name));
      else if (request.kind === "hours") loads.push(this.loadHours(request.calendar));
      else if (request.kind !== "new") loads.push(this.loadLookup(request));
    }
    for (const [type, ids] of records) loads.push(this.loadRecords(type, [...ids]));
    await Promise.all(loads);
  }

  private storeRecord(type: Type, row: Row): Reference {
    if (++this.loadedCount > maxRecords) throw new Failure("limit", "the rule reads too many records");
    const id = type.routes.singleton ? (row[0] as string) : Number(row[0]);
    const isSelf = this.self?.type === type.name && this.self.id === id;
    const values = readRow(type, row, 1);
    this.records.set(buildRecordKey(type.name, id), {
      values: isSelf ? { ...values, ...this.saved } : values,
      readField: new Map(),
    });
    return new Reference(type.name, id);
  }

  private async select(
    type: Type,
    clauses: readonly Clause[],
    order: string,
    limit: number,
    inherited = false,
  ): Promise<Row[]> {
    const { engine, tx, by } = this.setup;
    const clause = allOf([...clauses, buildReadClause(type, by, engine.rules, inherited)]);
    const query = engine.statements.prepare(
      `${type.name}#for rules#${order}#${limit}`,
      { where: clause },
      ({ where }) => {
        const columns = storedFields(type).map((name) => storedColumn(type, name));
        const active = type.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
        return `SELECT ${["a.id", ...columns].join(", ")} FROM ${type.table} a WHERE ${where}${active} ORDER BY ${order} LIMIT ${limit}`;
      },
    );
    return tx.query(query.statement, query.values);
  }

  private async loadRecords(name: string, ids: readonly (number | string)[]): Promise<void> {
    const type = this.types.get(name);
    for (const id of ids)
      if (!this.records.has(buildRecordKey(name, id))) this.records.set(buildRecordKey(name, id), null);
    if (type === undefined || type.storage.virtual) return;
    const sql = type.routes.singleton ? "text" : "integer";
    for (let from = 0; from < ids.length; from += maxListLength) {
      const part = ids.slice(from, from + maxListLength);
      const hasId: Clause = {
        key: "these",
        sql: (alias, next) => `${alias}.id = ANY(${next()}::${sql}[])`,
        values: [part],
      };
      for (const row of await this.select(type, [hasId], "a.id", maxListLength)) this.storeRecord(type, row);
    }
  }

  private async loadRelation(of: Reference, name: string): Promise<void> {
    const type = this.types.get(of.type) as Type;
    const id = Number(of.id);
    const set = (value: Value) => void this.relations.set(`${buildRecordKey(of.type, of.id)} ${name}`, value);
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field !== undefined && getKind(field).holdsFiles) return set(await this.loadAttachments(type, id));
    const { target, clause, inherited } = this.buildRelationClause(type, name, id);
    if (target.storage.virtual) return set([]);
    const rows = await this.select(target, [clause], this.buildOrder(type, name), maxListLength + 1, inherited);
    if (rows.length > maxListLength)
      throw new Failure("limit", `${name} of ${type.name} ${id} has more than ${maxListLength} elements`);
    const list = rows.map((row) => this.storeRecord(target, row));
    set(field !== undefined && findRelated(type, field)?.isSingle ? (list[0] ?? null) : list);
  }

  /** Links in the order in which they were made; requests, tasks and notes by id. */
  private buildOrder(type: Type, name: string): string {
    const ends = Object.hasOwn(type.links, name) ? resolveLink(this.setup.engine, type, name) : null;
    if (ends === null || "by" in ends.storage || typesOrderedById.has(ends.target.name)) return "a.id";
    const { table, here, there } = ends.storage;
    // $1 is the record whose links are read, $2 the accounts: buildLinkedClause binds them first.
    return `(SELECT l.place FROM ${table} l WHERE l.${here} = $1 AND l.${there} = a.id${ends.storage.livesWithAccount ? " AND l.account_id = ANY($2::text[])" : ""}), a.id`;
  }

  private buildRelationClause(
    type: Type,
    name: string,
    id: number,
  ): { target: Type; clause: Clause; inherited: boolean } {
    const { engine, by } = this.setup;
    const pointing = (target: Type, column: string) => ({
      key: `${column} here`,
      sql: (alias: string, next: () => string) =>
        `${alias}.${quoteIdentifier(target.columns.get(column) ?? `${column}_id`)} = ${next()}`,
      values: [id],
    });
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    const related = field === undefined ? undefined : findRelated(type, field);
    if (related !== undefined) {
      const target = engine.types.get(related.of);
      return { target, clause: pointing(target, related.by), inherited: related.isOwned };
    }
    if (Object.hasOwn(type.links, name)) {
      const ends = resolveLink(engine, type, name);
      return { target: ends.target, clause: buildLinkedClause(ends, id, by), inherited: false };
    }
    const child = Object.hasOwn(type.children, name) ? type.children[name] : undefined;
    if (child !== undefined) {
      const target = engine.types.get(child.of);
      return { target, clause: pointing(target, child.by ?? type.name), inherited: true };
    }
    const list = type.lists[name] as NonNullable<Type["lists"][string]>;
    const target = engine.types.get(list.of);
    const clause = "by" in list ? pointing(target, list.by) : conditionClause(target, list.where, by, engine.rules, id);
    return { target, clause, inherited: false };
  }

  private async loadAttachments(type: Type, id: number): Promise<Value> {
    const rows = await this.setup.tx.query(selectAttachments, [type.name, id, listReachableAccounts(this.setup.by)]);
    return rows.map(([json]) => fromJson(JSON.parse(json as string)));
  }

  private async loadHours(calendar: number): Promise<void> {
    const { tx } = this.setup;
    const [hours, free] = await Promise.all([tx.query(selectHours, [calendar]), tx.query(selectHolidays, [calendar])]);
    this.calendars.set(
      calendar,
      JSON.parse(`{"hours":${hours[0]?.[0] ?? "[]"},"holidays":${free[0]?.[0] ?? "[]"}}`) as Calendar,
    );
  }

  private async loadLookup(request: Extract<DataRequest, { kind: "find" | "search" }>): Promise<void> {
    const type = this.setup.engine.types.get(request.type);
    const enabled: Clause =
      "disabled" in type.fields ? { key: "enabled", sql: (alias) => `NOT ${alias}.disabled`, values: [] } : always;
    const where = (key: string, sql: (alias: string) => string, value: string | number): Clause => ({
      key,
      sql: (alias, next) => sql(alias).replace("?", next),
      values: [value],
    });
    const display = type.columns.get(type.display);
    const set = (value: Value) => void this.lookups.set(buildLookupKey(request), value);
    if (request.kind === "search") {
      if (display === undefined) return set([]);
      const like = `%${request.text.replace(/[\\%_]/g, (one) => `\\${one}`).slice(0, 200)}%`;
      const clause = where("search", (alias) => `${alias}.${quoteIdentifier(display)} ILIKE ?`, like);
      return set(
        (await this.select(type, [clause, enabled], "a.id", maxSearchResults)).map((row) =>
          this.storeRecord(type, row),
        ),
      );
    }
    const text = typeof request.value === "string" ? request.value.trim() : printNumber(request.value);
    const clauses: Clause[] = [];
    if (/^\d{1,9}$/.test(text)) clauses.push(where("this", (alias) => `${alias}.id = ?`, Number(text)));
    if (typeof request.value === "string") {
      if (type.name === "person" && text.includes("@"))
        clauses.push(where("e-mail", (alias) => `lower(${alias}.primary_email) = lower(?)`, text));
      else if (display !== undefined && type.display !== "id")
        clauses.push(where("named", (alias) => `${alias}.${quoteIdentifier(display)} = ?`, text));
    }
    for (const clause of clauses) {
      const [row] = await this.select(type, [clause, enabled], "a.id", 1);
      if (row !== undefined) return set(this.storeRecord(type, row));
    }
    set(null);
  }
}

const buildLookupKey = (request: Extract<DataRequest, { kind: "find" | "search" }>): string =>
  request.kind === "search"
    ? `search ${request.type} ${request.text}`
    : `find ${request.type} ${typeof request.value === "string" ? `'${request.value}` : printNumber(request.value)}`;

const typesByName = new WeakMap<Engine["types"], ReadonlyMap<string, Type>>();
function getTypesByName({ types }: Engine): ReadonlyMap<string, Type> {
  let map = typesByName.get(types);
  if (map === undefined) {
    map = new Map(types.all.map((type) => [type.name, type]));
    typesByName.set(types, map);
  }
  return map;
}

const typesOrderedById: ReadonlySet<string> = new Set(["request", "task", "note"]);
const selectAttachments = statement(
  "SELECT json_build_object('id', id, 'key', key, 'name', name, 'size', size, 'inline', inline) FROM attachments WHERE record_type = $1 AND record_id = $2 AND account_id = ANY($3::text[]) ORDER BY id LIMIT 1000",
);
const selectHours = statement(
  "SELECT json_agg(json_build_object('weekday', weekday, 'time_from', time_from, 'time_until', time_until)) FROM calendar_hours WHERE calendar_id = $1",
);
const selectHolidays = statement(
  "SELECT json_agg(json_build_object('start_at', h.start_at, 'end_at', h.end_at)) FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE l.calendar_id = $1",
);
