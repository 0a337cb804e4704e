import { randomUUID } from "node:crypto";
import { enumerations } from "../../records/enumerations/index.ts";
import type { Clock } from "../base/clock.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Values } from "../engine/rules.ts";
import { sameValue } from "../engine/write/compare.ts";
import { type AccountRules, linkedTypes, type RuleCache } from "./rule-cache.ts";
import { copyRulesFromTemplate, syncAppRules } from "./rule-copies.ts";
import { getCascadePosition } from "./rule-job.ts";
import { enqueueRuleJob, type RuleJobPayload } from "./rule-job-payload.ts";
import { findTriggers } from "./triggers.ts";

// Listens to every change and enqueues a job for matching rules in the transaction of the change.

const typesWithRules: ReadonlySet<string> = new Set([...enumerations["automation_rule.generic"], ...linkedTypes]);
const appTypes: ReadonlySet<string> = new Set(["app_instance", "app_offering_automation_rule"]);

const buildLinkedRulesStatement = (type: string) =>
  statement(
    `SELECT id, trigger FROM automation_rules WHERE ${type}_id = $1 AND account_id = $3 AND NOT disabled AND trigger = ANY($2::text[]) ORDER BY position NULLS LAST, id`,
  );
const linkedRules = new Map(linkedTypes.map((type) => [type, buildLinkedRulesStatement(type)]));

export const startRules =
  (cache: RuleCache, clock: Clock, wake: () => void) =>
  async (tx: Transaction, by: Caller | null, event: ChangeEvent): Promise<void> => {
    const { type, account } = event;
    if (type.name === "automation_rule") return cache.invalidate(tx, account);
    if (appTypes.has(type.name)) return syncAppRules(tx, event, cache, clock.now());
    if (!typesWithRules.has(type.name)) return;
    const accountRules = await cache.get(tx, account);
    const copied =
      accountRules.templates.size > 0 &&
      !event.isDerivedUpdate &&
      (await copyRulesFromTemplate(tx, event, accountRules, clock.now()));
    if (copied && !accountRules.linked.has(type.name)) cache.invalidate(tx, account);
    const isAutomationTask = isAutomationTaskAssigned(event);
    if (!isAutomationTask && !copied && !accountRules.linked.has(type.name) && !accountRules.generic.has(type.name))
      return;
    const rules = await loadMatchingRules(tx, event, accountRules, copied);
    if (rules.length === 0 && !isAutomationTask) return;
    const options = isAutomationTask ? { task: "done" as const } : {};
    enqueueRuleJob(tx, buildPayload(tx, by, event, rules, options), by?.now ?? clock.now());
    tx.afterCommit(wake);
  };

/** TA2: rules do the work of an automation task. */
const isAutomationTaskAssigned = ({ type, before, after }: ChangeEvent): boolean =>
  type.name === "task" &&
  after?.category === "automation" &&
  after.status === "assigned" &&
  before?.status !== "assigned";

/** In the order of execution: by trigger, and within a trigger by X2. */
async function loadMatchingRules(
  tx: Transaction,
  event: ChangeEvent,
  accountRules: AccountRules,
  copied: boolean,
): Promise<{ id: number; trigger: string }[]> {
  const triggers = event.suppressEvents ? [] : findTriggers(event);
  if (triggers.length === 0) return [];
  const linked = linkedRules.get(event.type.name);
  const rows =
    linked !== undefined && (copied || accountRules.linked.has(event.type.name))
      ? await tx.query(linked, [event.id, triggers, event.account])
      : [];
  const generic = (accountRules.generic.get(event.type.name) ?? [])
    .filter(({ trigger }) => triggers.includes(trigger))
    .toSorted((one, other) => one.position - other.position || one.id - other.id);
  const all = [
    ...generic.filter(({ ofApp }) => !ofApp),
    ...rows.map(([id, trigger]) => ({ id: Number(id), trigger: trigger as string })),
    ...generic.filter(({ ofApp }) => ofApp),
  ];
  return triggers.flatMap((fired) =>
    all.filter(({ trigger }) => trigger === fired).map(({ id, trigger }) => ({ id, trigger })),
  );
}

function buildPayload(
  tx: Transaction,
  by: Caller | null,
  { type, id, account, action, before, after, facts, isDerivedUpdate }: ChangeEvent,
  rules: readonly { id: number; trigger: string }[],
  options: Pick<RuleJobPayload, "task">,
): RuleJobPayload {
  const cascade = getCascadePosition(tx) ?? { chain: randomUUID(), depth: 0 };
  const note = typeof facts?.note_id === "number" ? facts.note_id : null;
  const person = by === null || by.isService ? null : by.person;
  const gone = action === "destroy" && before !== null ? { gone: before } : {};
  const earlier: Values = before ?? {};
  const saved: Values = {};
  // Another save may happen before the rules run: they must see the values of this one.
  for (const [name, field] of Object.entries(type.fields))
    if (!field.transient && !sameValue(field, earlier[name], after?.[name])) saved[name] = after?.[name] ?? null;
  const payload = { account, type: type.name, id, rules, next: 0, before: earlier, saved, person, note };
  return { ...payload, ...gone, ...cascade, ...options, ...(isDerivedUpdate ? { partly: true } : {}) };
}
