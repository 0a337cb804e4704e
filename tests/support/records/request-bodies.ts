import { enumerations } from "../../../records/enumerations/index.ts";
import type { ChildVerb, Field } from "../../../records/vocabulary/index.ts";
import { automationLinks } from "../../../records/work/automation-rule.ts";
import type { Type, Types } from "../../../server/engine/types.ts";
import type { Client, Reply } from "../clients/json-client.ts";

// Valid bodies for every record type, built from its declaration; referenced records are created on the way.

export type Members = Record<string, unknown>;

/** Requirements of rules beyond the table: values that belong together, and fields that are valid only with others. */
const membersRulesDemand: Record<
  string,
  Members | ((bodies: RequestBodies, types: Types) => Members | Promise<Members>)
> = {
  contact: { label: "work", telephone: "+31 20 1234567" },
  address: { label: "home" },
  sla: { coverage: "service_instances" },
  broadcast: { start_at: "2031-02-27T12:30:00+00:00" },
  ci: () => ({ status: "removed", label: `CI-${String(++counted).padStart(6, "0")}` }),
  broadcast_translation: () => ({ locale: foreign[nextNumber() % foreign.length] }),
  knowledge_article_translation: () => ({ locale: foreign[nextNumber() % foreign.length] }),
  sla_notification_rule: () => ({ threshold_percentage: nextNumber() }),
  waiting_for_customer_rule: () => ({ nr_of_business_days: nextNumber() }),
  standard_service_request: async (bodies, types) => ({
    request_template_id: (await bodies.make(types.get("request_template"))).id,
  }),
  calendar_hour: { time_from: "09:00", time_until: "17:30" },
  holiday: { start_at: "2031-02-28T00:00:00", end_at: "2031-03-01T00:00:00" },
  out_of_office_period: nextHour,
  automation_rule: { trigger: "on create" },
  app_offering_automation_rule: { trigger: "on create" },
  reservation: nextHour,
  survey_answer: async (bodies) => ({
    survey_question_id: (await bodies.below("survey", "survey_question", { type: "text" })).id,
  }),
  task_template_relation: { phase_name: "Zero" },
  project_task_template_relation: { phase_name: "Zero" },
  invoice: async (bodies) => ({ contract_id: await bodies.reference("contract") }),
  short_url: { website_url: "https://widget.example/" },
};
/** Children that a new parent needs before records of a type can be created below it. */
const phases = ["Zero", "One", "Two"].map((name) => ["phases", { name }] as const);
const childrenNeededFirst: Record<string, readonly (readonly [path: string, members: Members])[]> = {
  task_template_relation: phases,
  project_task_template_relation: phases,
};
/** Values that belong together in a full body, from the world's seed: the member belongs to the team. */
const membersThatBelongTogether: Record<string, Members> = {
  request: { team_id: 1, member_id: 3, requested_for_id: 3 },
  task: { team_id: 1, member_id: 3 },
};
/** A separate hour for records that must not overlap. */
function nextHour(): Members {
  const start = Date.UTC(2031, 0, 1) + ++hours * 3_600_000;
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + 3_600_000).toISOString() };
}
let hours = 0;
/** Fields that a rule requires and the table doesn't. */
export const requiredByRules: Record<string, readonly string[]> = {
  time_entry: ["service", "customer"],
  sprint_backlog_item: ["request"],
  short_url: ["website_url"],
};
/** A short URL has exactly one target. */
const emailMembers = ["email_to", "email_subject", "email_body"];
const shortUrlTexts = ["plain_text", "tel", "sms_tel", "sms_body", ...emailMembers, "map_address"];
const shortUrlTargets = [
  "ci",
  "knowledge_article",
  "request_template",
  ...shortUrlTexts,
  "geo_latitude",
  "geo_longitude",
];
/** Texts with a closed set of valid values, regardless of the field's length. */
export const textsWithFixedValues: Record<string, readonly string[]> = {
  webhook: ["uri", "mail_exceptions_to"],
  automation_rule: ["trigger", "generic", "condition", "actions", "expressions"],
  app_offering_automation_rule: ["trigger", "condition", "actions", "expressions"],
  request: ["support_domain"],
  short_url: ["website_url", ...shortUrlTexts],
  task_template_relation: ["phase_name"],
  project_task_template_relation: ["phase_name"],
};
const onBoard = ["agile_board", "agile_board_column", "agile_board_column_position"];
const onBacklog = ["product_backlog", "product_backlog_position"];
/** Fields that a full body omits because a rule ties them to others; tests/api/writing-records.test.ts covers them. */
const fieldsTiedToOthers: Record<string, readonly string[]> = {
  webhook: ["mail_exceptions_to"],
  contact: ["telephone", "email", "website", "chat"],
  organization: ["business_unit", "region"],
  team: ["coordinator"],
  agile_board_column: ["team", "member", "clear_member"],
  broadcast: ["request"],
  out_of_office_period: ["time_allocation"],
  sprint_backlog_item: ["problem", "task", "project_task"],
  survey_answer: ["rating"],
  time_entry: ["organization", "time_allocation", "request", "problem", "task", "project_task"],
  automation_rule: [...automationLinks, "condition", "actions", "expressions"],
  app_offering_automation_rule: ["condition", "actions", "expressions"],
  ui_extension: ["html", "css", "javascript", "form_definition_json", "activate"],
  request: [
    ...["member", "support_domain", "project", "waiting_until", "completion_reason", "addressed", "reviewed"],
    ...["grouped_into", "major_incident_status", "checked_items", ...onBoard, ...onBacklog],
  ],
  request_template: ["ui_extension"],
  problem: ["member", "project", "waiting_until", ...onBoard, ...onBacklog],
  release: ["manager"],
  risk: ["closure_reason"],
  workflow: ["manager", "status", "completion_reason"],
  task: [...onBoard, "member", "phase", "failure_task", "waiting_until", "predecessors", "successors"],
  project_task: [...onBoard, "waiting_until", "predecessors", "successors"],
  project_task_assignment: ["waiting_until"],
  task_template_relation: ["predecessor_ids"],
  invoice: ["workflow", "project", "sla", "flsa", "contract", "cis"],
  short_url: shortUrlTargets,
};
export const isTiedToOtherFields = (type: Type, name: string): boolean =>
  fieldsTiedToOthers[type.name]?.includes(name) === true;
/** Members that must accompany a field that is set alone. */
export const companionMembers: Record<string, Record<string, Members>> = {
  contact: {
    email: { telephone: null },
    website: { telephone: null, email: null },
    chat: { telephone: null, email: null, website: null, label: "chat_teams" },
  },
  organization: { region: { business_unit: true, parent_id: 1 } },
  invoice: { amortize: { amortization_start: "2031-02-28", amortization_end: "2032-02-27" } },
};

/** Whether callers may do this with records of a type. Child records are written by rules alone if no owner allows it. */
export function allows(types: Types, type: Type, verb: ChildVerb): boolean {
  if (type.storage.journal || type.routes.singleton || type.routes.onlyThroughLinks) return false;
  if (type.ownedBy.length === 0) return true;
  return type.ownedBy.some((owner) =>
    Object.values(types.get(owner).children).some(
      (child) => child.of === type.name && (child.allows === undefined || child.allows.includes(verb)),
    ),
  );
}

let made = 0;
export const uniqueText = (): string => (++made).toString(36);
let counted = 0;
/** An unused small number. */
const nextNumber = (): number => (++counted % 900) + 1;
const lists: Record<string, readonly string[]> = enumerations;
/** languages that no account of the world has as its own */
const foreign = enumerations.language.filter((locale) => locale !== "en-US");

const fill = (max: number | undefined, text: string) => text.slice(-(max ?? 40));

/** A valid value for every kind except references. */
function plainValue(name: string, field: Field): unknown {
  switch (field.kind) {
    case "string":
      if (field.format === "email") return `${uniqueText()}@widget.example`;
      if (field.format === "uri") return `http://127.0.0.1:4/${uniqueText()}`; // no server listens there
      if (field.format === "picture") return "https://widget.example/picture.png";
      return fill(field.max, `${name} ${uniqueText()}`);
    case "text":
      return `some **text** ${uniqueText()}`;
    case "integer":
      return Math.max(field.min, 3);
    case "decimal":
      return 12.5;
    case "float":
      return 0.25;
    case "boolean":
      return name !== "disabled";
    case "date":
      return "2031-02-28";
    case "datetime":
    case "target":
      return "2031-02-28T12:30:00+00:00";
    case "localDatetime":
      return "2031-02-28T12:30:00";
    case "recurrence":
      return { frequency: "weekly", interval: 2, start_date: "2031-02-03", time_of_day: "09:30", day: "1,3" };
    case "duration":
      return 105;
    case "timeOfDay":
      return "09:30";
    case "timeZone":
      return "Amsterdam";
    case "enum":
      return field.values?.[0] ?? lists[field.enumeration]?.[0];
    case "strings":
      return ["one", "two"];
    case "customFields":
      return { color: "red" };
    case "hash":
      return { b: 1, zeta: { x: 1 } };
    default:
      return undefined;
  }
}

export const isWritable = (field: Field): boolean => field.access !== "readonly" && !field.internal;
/** Whether an empty value is an error. A default taken from another record doesn't help, because that record may be missing. */
export const isBlankable = (field: Field): boolean =>
  field.access === "required" && (field.default === undefined || "of" in field.default);

export class RequestBodies {
  private readonly client: Client;
  private readonly types: Types;
  private readonly known = new Map<string, Promise<number>>();

  /** `there`: existing records by type, used as references instead of new ones */
  constructor(client: Client, types: Types, there: Record<string, number> = {}) {
    this.client = client;
    this.types = types;
    for (const [name, id] of Object.entries(there)) this.known.set(name, Promise.resolve(id));
  }

  /** Returns a record of the type to refer to, and creates it on the first call. */
  reference(name: string): Promise<number> {
    let id = this.known.get(name);
    if (id === undefined) {
      id = this.one(this.types.get(name));
      this.known.set(name, id);
    }
    return id;
  }

  /** Creates a record. One that callers can't create comes with its owner. */
  private async one(type: Type): Promise<number> {
    if (type.routes.singleton) return (await this.client.get(`/${type.name}`)).body.id;
    if (type.ownedBy.length === 0 || allows(this.types, type, "create")) return (await this.make(type)).id;
    return (await this.client.get(await this.path(type))).body[0].id;
  }

  /** The record's code, for fields that refer to it by code. */
  async code(name: string): Promise<string> {
    const id = await this.reference(name);
    return (await this.client.get(`/${this.types.get(name).collection}/${id}?fields=reference`)).body.reference;
  }

  /** The required members only. */
  required = (type: Type): Promise<Members> =>
    this.body(type, ([name, field]) => isBlankable(field) || requiredByRules[type.name]?.includes(name) === true);

  /** All members that may be set. */
  full = async (type: Type): Promise<Members> => ({
    ...(await this.body(type, ([name, field]) => isWritable(field) && !fieldsTiedToOthers[type.name]?.includes(name))),
    ...membersThatBelongTogether[type.name],
  });

  private async body(type: Type, wanted: (entry: [string, Field]) => boolean): Promise<Members> {
    const body: Members = {};
    for (const [name, field] of Object.entries(type.fields).filter(wanted)) {
      if (field.kind === "reference") body[`${name}_id`] = await this.reference(field.to);
      else if (field.kind === "references") body[name] = [await this.reference(field.to)];
      else if (field.kind === "code") body[name] = await this.code(field.to);
      else {
        const value = plainValue(name, field);
        if (value !== undefined) body[name] = value;
      }
    }
    const more = membersRulesDemand[type.name];
    return { ...body, ...(typeof more === "function" ? await more(this, this.types) : more) };
  }

  /** Creates a record below the owner type's shared reference record. */
  async below(owner: string, name: string, members: Members): Promise<Reply["body"]> {
    const [parent, type] = [this.types.get(owner), this.types.get(name)];
    return this.make(type, members, `/${parent.collection}/${await this.reference(owner)}/${type.collection}`);
  }

  /** The path for creating records: their collection if the parent is named, otherwise below a parent. */
  private async birthplace(type: Type, members: Members): Promise<string | null> {
    const [place] = type.createdUnder;
    if (place === undefined || place.field in members) return null;
    const parent = this.types.get(place.parent);
    return `/${parent.collection}/${await this.reference(parent.name)}/${place.path}`;
  }

  /** The path of a collection; for child records below a new parent. */
  async path(type: Type): Promise<string> {
    const [owner] = type.ownedBy;
    if (owner === undefined) return `/${type.collection}`;
    const parent = this.types.get(owner);
    const name = Object.entries(parent.children).find(([, child]) => child.of === type.name)?.[0];
    const above = `/${parent.collection}/${(await this.make(parent)).id}`;
    for (const [path, members] of childrenNeededFirst[type.name] ?? [])
      await this.client.post(`${above}/${path}`, members);
    return `${above}/${name}`;
  }

  async post(type: Type, members: Members = {}, path?: string, headers?: Record<string, string>): Promise<Reply> {
    const body = { ...(await this.required(type)), ...members };
    return this.client.post((await this.birthplace(type, members)) ?? path ?? (await this.path(type)), body, headers);
  }

  /** Creates a record with all possible fields set; returns it with the path of its collection. */
  async rich(type: Type): Promise<{ path: string; record: Reply["body"] }> {
    const path = await this.path(type);
    return { path, record: await this.make(type, await this.full(type), path) };
  }

  /** Creates a record; throws if that fails. */
  async make(type: Type, members: Members = {}, path?: string): Promise<Reply["body"]> {
    const { status, body, text } = await this.post(type, members, path);
    if (status !== 200 && status !== 201) throw new Error(`${type.name} could not be created: ${status} ${text}`);
    return body;
  }
}

const effort = () => ({ planned_effort: ++made });
const phase = () => ({ phase_name: ++made % 2 === 0 ? "One" : "Two" });
/** Editable fields of types without text. */
const edits: Record<string, () => Members> = {
  calendar_hour: () => ({ time_until: `20:${String(++made % 60).padStart(2, "0")}` }),
  sprint_backlog_item: () => ({ estimate: ++made }),
  app_instance: () => ({ suspension_comment: `ed ${uniqueText()}` }),
  shop_order_line: () => ({ quantity: 100 + ++made }),
  ui_extension: () => ({ title: `ed ${uniqueText()}` }),
  note_reaction: () => ({ reaction: ++made % 2 === 0 ? "🎉" : "😕" }),
  task_approval: effort,
  task_template_approval: effort,
  task_template_relation: phase,
  project_task_assignment: effort,
  project_task_template_assignment: effort,
  project_task_template_relation: phase,
};

const findEditableText = (type: Type): string | undefined =>
  [type.display, "sourceID", "telephone", "city"].find(
    (candidate) => type.fields[candidate]?.kind === "string" && type.fields[candidate]?.access !== "readonly",
  );

/** Whether a type has anything except references to change: a watch consists of a person alone. */
export const isEditable = (type: Type): boolean =>
  edits[type.name] !== undefined || findEditableText(type) !== undefined;

/** A field whose change is visible, and a new value for it. */
export function buildEdit(type: Type): Members {
  const special = edits[type.name];
  if (special !== undefined) return special();
  const name = findEditableText(type);
  if (name !== undefined) return { [name]: `ed ${uniqueText()}` };
  for (const [other, field] of Object.entries(type.fields)) {
    if (!isWritable(field) || field.access === "writeonly") continue;
    if (field.kind === "text") return { [other]: `ed ${uniqueText()}` };
    if (field.kind === "decimal" || field.kind === "integer") return { [other]: nextNumber() };
    if (field.kind === "enum") return { [other]: (field.values ?? lists[field.enumeration] ?? []).at(-1) };
  }
  throw new Error(`nothing to edit in ${type.name}`);
}

/** Members that show what was edited under another name. */
export const buildEchoedMembers = (type: Type, edit: Members): Members =>
  Object.fromEntries(
    Object.entries(type.fields).flatMap(([name, { fallsBackTo, internal }]) =>
      fallsBackTo !== undefined && fallsBackTo in edit && !internal ? [[name, edit[fallsBackTo]]] : [],
    ),
  );

export const pickFieldNames = (type: Type, wanted: (field: Field) => boolean): string[] =>
  Object.entries(type.fields)
    .filter(([, field]) => wanted(field))
    .map(([name]) => name);

/** Invalid values of each kind, which must be refused. */
export const wrongValues: Partial<Record<Field["kind"], readonly unknown[]>> = {
  string: [{}, [1], "nul \0 nul", "lone \ud800 surrogate"],
  text: [{}, [1], "nul \0 nul"],
  integer: ["x", 1.5, "1e2", 99_999_999_999, {}],
  decimal: ["1,5", "x", "1e3", {}],
  float: ["x", "NaN", "Infinity", []],
  boolean: [{}, []],
  date: ["2025-13-01", "2025-02-30", "yesterday", 5],
  datetime: ["yesterday", "2025-02-30T10:00:00Z", "2025-02-20T25:00:00Z", "2025-02-20T10:00:00+99:00"],
  target: ["soon", {}],
  duration: ["1:75", "-5", "1.5", {}],
  timeOfDay: ["25:00", "24:01", "9:00", {}],
  timeZone: ["Mars", {}],
  enum: ["bogus", {}],
  reference: [2_000_000_000, "abc", {}, [1], -1],
  code: ["bogus", "nul \0 nul", {}, [1], { id: 2_000_000_000 }, { id: "x" }],
  localDatetime: ["yesterday", "2025-02-30T10:00:00", "2025-02-20T25:00:00", "2025-02-20T24:01:00", {}],
  recurrence: ["text", 5, [1], {}, { frequency: "hourly" }, { interval: 0 }, { day: "7" }, { calendar: {} }],
  references: [[2_000_000_000], ["abc"], {}, 5],
  strings: [5, {}, [{}]], // a number elsewhere in the body with a fraction or exponent would turn the 5 into text
  customFields: ["text", 5],
  hash: ["text", 5, [1]],
  attachmentsOf: ["text", [{}], [{ key: "unknown/key" }]],
};
