import { inactiveStatuses } from "../../../records/configuration/ci.ts";
import type { Caller } from "../../engine/caller.ts";
import { completeRecurrence, type Recurrence } from "../../engine/kinds/recurrence.ts";
import type { Change, TypeRules, Values } from "../../engine/rules.ts";
import { never } from "../../engine/sql/clauses.ts";
import { batchedRead } from "../../storage/batch.ts";
import { statement } from "../../storage/database.ts";
import { getToday } from "../shared/current-date.ts";
import { buildParentCondition } from "../shared/parent-condition.ts";
import { ciCovered } from "../sla/coverage.ts";
import { settleNextOccurrence } from "../time/recurrence.ts";
import { getCiRuleSet, getCiType, isSoftware } from "./ci-rule-set.ts";
import { isSupportedByMyTeams } from "./product.ts";

// CI1 to CI9

/** What may be done with an item that goes; the first value is what holds when nothing is said. */
const actionStatuses: Record<string, readonly string[]> = {
  to_be_removed: ["not_required", "for_disposal", "to_return"],
  removed: ["not_required", "utilized", "returned"],
};

function settleActionStatus({ before, after, given, problem }: Change): void {
  const allowed = actionStatuses[after.status as string];
  if (allowed === undefined) after.action_status = null;
  else if (after.action_status === null || (before?.status !== after.status && !given.has("action_status")))
    after.action_status = allowed[0] as string;
  else if (!allowed.includes(after.action_status as string)) problem("action_status", "is not included in the list");
}

const selectProduct = batchedRead(
  `SELECT p.rule_set, p.brand, p.category_id, c.name FROM products p JOIN product_categories c ON c.id = p.category_id
WHERE p.id = $1`,
  { 1: "integer" },
);
const selectNewestLabel = statement(
  `SELECT i.label FROM cis i JOIN products p ON p.id = i.product_id
WHERE i.account_id = $1 AND p.category_id = $2 AND i.label IS NOT NULL ORDER BY i.id DESC LIMIT 1`,
);
const selectLastNumber = statement(
  `SELECT max(substr(label, length($2::text) + 1)::numeric) FROM cis
WHERE account_id = $1 AND lower(left(label, length($2::text))) = lower($2::text) AND substr(label, length($2::text) + 1) ~ '^[0-9]{1,18}$'`,
);
const lockLabelPrefix = statement("SELECT pg_advisory_xact_lock(hashtext('label of ' || $1 || $2))");

/** The prefix of the newest label among the items of the category, and the next number in the same width. */
async function generateLabel({ tx, after, by }: Change): Promise<void> {
  const [product] = await tx.query(selectProduct, [after.product as number]);
  if (product === undefined) return;
  const [, , category, name] = product;
  const [newest] = await tx.query(selectNewestLabel, [by.account, category as string]);
  const first = `${
    (name ?? "")
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, 3)
      .toUpperCase() || "CI"
  }00000`;
  const [, prefix, digits] = /^(.*?)(\d{0,18})$/s.exec(newest?.[0] ?? first) as unknown as [string, string, string];
  tx.send(lockLabelPrefix, [by.account, prefix]);
  const [last] = await tx.query(selectLastNumber, [by.account, prefix]);
  after.label = prefix.slice(0, 140) + String(BigInt(last?.[0] ?? 0) + 1n).padStart(digits.length, "0");
}

const selectProductName = batchedRead("SELECT name FROM products WHERE id = $1", { 1: "integer" });

/** An item that loses its name is called like its product again. */
const loadProductName = async ({ tx, after }: Change): Promise<string | null> =>
  (await tx.query(selectProductName, [after.product as number]))[0]?.[0] ?? null;

async function beforeSave(change: Change): Promise<void> {
  const { after, problem } = change;
  settleActionStatus(change);
  if (after.support_team === null && after.status !== null && after.status !== "removed")
    problem("support_team", "can't be blank");
  if (after.label === null && after.product !== null) await generateLabel(change);
  if (after.name === null && after.product !== null) after.name = await loadProductName(change);
  await settleRecurrence(change);
}

const fieldsNeededToRecur = ["workflow_template", "workflow_manager"];

/** What a product says of recurrence begins on the day an item is made of it, where all that it takes is there. */
async function settleRecurrence(change: Change): Promise<void> {
  const { by, before, after, given, problem } = change;
  const lacking = fieldsNeededToRecur.filter((member) => after[member] === null);
  if (before === null && after.recurrence !== null && !given.has("recurrence"))
    after.recurrence = lacking.length > 0 ? null : startRecurrenceToday(after.recurrence as Recurrence, by);
  if (after.recurrence === null) return;
  for (const member of lacking) problem("recurrence", "is not valid without {member}", { member });
  await settleNextOccurrence(change);
}

function startRecurrenceToday(ofProduct: Recurrence, by: Caller): Recurrence {
  const start_date = getToday(by, ofProduct.time_zone);
  return completeRecurrence({ without: [] }, { ...ofProduct, start_date }, by.accountRecord.time_zone).value;
}

async function loadRuleSet({ tx, after }: Change): Promise<string | null> {
  if (after.product === null) return null;
  const [product] = await tx.query(selectProduct, [after.product as number]);
  return getCiRuleSet(product?.[0] ?? null, after.license_type !== null);
}

const selectSameNameOrLabel = batchedRead(
  `SELECT id FROM cis WHERE account_id = $1 AND life_cycle = 'active' AND status = ANY($4::text[])
AND (lower(label) = lower($2::text) OR name = $3::text) ORDER BY lower(label) = lower($2::text) DESC NULLS LAST, id DESC LIMIT 1`,
  { 2: "text", 3: "text" },
);
const selectLabelInUse = batchedRead(
  "SELECT 1 FROM cis WHERE account_id = $1 AND lower(label) = lower($2::text) AND status <> ALL($3::text[])",
  { 2: "text" },
);

const buildUsesCiCondition = (table: string, type: string) =>
  buildParentCondition(
    `${type} of ci`,
    (row, here) => `${row}.id IN (SELECT l.${type}_id FROM ${table} l WHERE l.ci_id = ${here})`,
  );

export const ciParentConditions = {
  request: buildUsesCiCondition("request_cis", "request"),
  problem: buildUsesCiCondition("problem_cis", "problem"),
  task: buildUsesCiCondition("task_cis", "task"),
};

const deleteRelations = statement("DELETE FROM ci_relations WHERE $1 IN (of_ci_id, ci_id)");

export const ciRules: TypeRules = {
  beforePurge: (tx, id) => tx.send(deleteRelations, [id]),
  conditions: {
    "is supported by one of my teams": isSupportedByMyTeams,
    "I am covered for it": (by) => ciCovered(by, by.person),
    "that person is covered for it": (by, here?: number) => (here === undefined ? never : ciCovered(by, here)),
  },
  beforeSave: beforeSave,
  derive: {
    "rule set of its product": loadRuleSet,
    "software or hardware": ({ after }) => getCiType(after.rule_set),
    "is software": ({ after }) => isSoftware(after.rule_set),
    async "brand of its product"({ tx, after }) {
      if (after.product === null) return null;
      return (await tx.query(selectProduct, [after.product as number]))[0]?.[1] ?? null;
    },
  },
  // An item without a label gets the next one; one that is retired, or renamed, may be what a later one means.
  conflictKeys({ label, name, status }, isNew) {
    if (label === null || label === "" || (isNew && label === undefined)) return null;
    if (inactiveStatuses.includes(status as string) || (!isNew && name !== undefined)) return null;
    return label === undefined ? [] : [`label ${String(label).toLowerCase()}`];
  },
  /** What was retired comes back: an item with the same name or label that is not active any more. */
  async existingFor(tx, by, { name, label }) {
    if (name == null && label == null) return null;
    const [given, called] = [label as string | null, name as string | null].map((text) => text ?? null);
    // A label that an active item has is taken, whatever the name says.
    if (given != null && (await tx.query(selectLabelInUse, [by.account, given, inactiveStatuses])).length > 0)
      return null;
    const [row] = await tx.query(selectSameNameOrLabel, [by.account, given ?? null, called ?? null, inactiveStatuses]);
    return row === undefined ? null : Number(row[0]);
  },
  valuesOnRestore({ status }): Values {
    return inactiveStatuses.includes(status as string) ? {} : { status: "removed", action_status: "not_required" };
  },
};

export const ciRelationRules: TypeRules = {
  conflictKeys: (_, isNew) => (isNew ? [] : null),
  beforeSave({ after, problem }) {
    if (after.ci !== null && after.ci === after.of_ci) problem("ci", "is not valid");
  },
};
