import { randomUUID } from "node:crypto";
import { enumerations } from "../../records/enumerations/index.ts";
import type { Clock } from "../base/clock.ts";
import type { Caller } from "../engine/caller.ts";
import type { ChangeEvent } from "../engine/change-event.ts";
import type { Values } from "../engine/rules.ts";
import { sameValue } from "../engine/write/compare.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { type AccountRules, linkedTypes, type RuleCache } from "./rule-cache.ts";
import { copyRulesFromTemplate, syncAppRules } from "./rule-copies.ts";
import { getCascadePosition } from "./rule-job.ts";
import { enqueueRuleJob, type RuleJobPayload } from "./rule-job-payload.ts";
import { findTriggers } from "./triggers.ts";

// Listens to every change: those that rules wait for become a job in the transaction of the change.

const typesWithRules: ReadonlySet<string> = new Set([...enumerations["automation_rule.generic"], ...linkedTypes]);
const appTypes: ReadonlySet<string> = new Set(["app_instance", "app_offering_automation_rule"]);

const buildLinkedRulesStatement = (type: string) =>
  statement(
    `SELECT id, trigger FROM automation_rules WHERE ${type}_id = $1 AND NOT disabled AND trigger = ANY($2::text[]) ORDER BY position NULLS LAST, id`,
  );
const linkedRules = new Map(linkedTypes.map((type) => [type, buildLinkedRulesStatement(type)]));

export const startRules =
  (inForce: RuleCache, clock: Clock, wake: () => void) =>
  async (tx: Transaction, by: Caller | null, told: ChangeEvent): Promise<void> => {
    const { type, account } = told;
    if (type.name === "automation_rule") return inForce.invalidate(tx, account);
    if (appTypes.has(type.name)) return syncAppRules(tx, told, inForce, clock.now());
    if (!typesWithRules.has(type.name)) return;
    const known = await inForce.get(tx, account);
    const copied =
      known.templates.size > 0 && !told.isDerivedUpdate && (await copyRulesFromTemplate(tx, told, known, clock.now()));
    if (copied && !known.linked.has(type.name)) inForce.invalidate(tx, account);
    const isLeftToRules = isAutomationTaskAssigned(told);
    if (!isLeftToRules && !copied && !known.linked.has(type.name) && !known.generic.has(type.name)) return;
    const rules = await loadMatchingRules(tx, told, known, copied);
    if (rules.length === 0 && !isLeftToRules) return;
    enqueueRules(tx, by, told, rules, clock.now(), isLeftToRules ? { task: "done" } : {});
    tx.afterCommit(wake);
  };

/** TA2: nobody but its rules works on an automation task. */
const isAutomationTaskAssigned = ({ type, before, after }: ChangeEvent): boolean =>
  type.name === "task" &&
  after?.category === "automation" &&
  after.status === "assigned" &&
  before?.status !== "assigned";

/** In the order in which they run: trigger by trigger, and within one as X2 says. */
async function loadMatchingRules(
  tx: Transaction,
  told: ChangeEvent,
  known: AccountRules,
  copied: boolean,
): Promise<{ id: number; trigger: string }[]> {
  const triggers = told.suppressEvents ? [] : findTriggers(told);
  if (triggers.length === 0) return [];
  const linked = linkedRules.get(told.type.name);
  const rows =
    linked !== undefined && (copied || known.linked.has(told.type.name))
      ? await tx.query(linked, [told.id, triggers])
      : [];
  const generic = (known.generic.get(told.type.name) ?? [])
    .filter(({ trigger }) => triggers.includes(trigger))
    .toSorted((one, other) => one.position - other.position || one.id - other.id);
  const all = [
    ...generic.filter(({ ofApp }) => !ofApp),
    ...rows.map(([id, trigger]) => ({ id: Number(id), trigger: trigger as string })),
    ...generic.filter(({ ofApp }) => ofApp),
  ];
  return triggers.flatMap((wanted) =>
    all.filter(({ trigger }) => trigger === wanted).map(({ id, trigger }) => ({ id, trigger })),
  );
}

function enqueueRules(
  tx: Transaction,
  by: Caller | null,
  { type, id, account, action, before, after, facts, isDerivedUpdate: quiet }: ChangeEvent,
  rules: readonly { id: number; trigger: string }[],
  now: Date,
  more: Pick<RuleJobPayload, "task">,
): void {
  const descent = getCascadePosition(tx) ?? { chain: randomUUID(), depth: 0 };
  const note = typeof facts?.note_id === "number" ? facts.note_id : null;
  const person = by === null || by.isService ? null : by.person;
  const gone = action === "destroy" && before !== null ? { gone: before } : {};
  const earlier: Values = before ?? {};
  const saved: Values = {};
  // Another save may come before the rules run: they are about what this one made of the record.
  for (const [name, field] of Object.entries(type.fields))
    if (!field.transient && !sameValue(field, earlier[name], after?.[name])) saved[name] = after?.[name] ?? null;
  const start = { account, type: type.name, id, rules, next: 0, before: earlier, saved, person, note };
  enqueueRuleJob(tx, { ...start, ...gone, ...descent, ...more, ...(quiet ? { partly: true } : {}) }, now);
}
