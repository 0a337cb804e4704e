import { ci, inactiveStatuses } from "../../../records/configuration/ci.ts";
import { ciRelation } from "../../../records/configuration/ci-relation.ts";
import { product } from "../../../records/configuration/product.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { batchedRead } from "../../database/batch.ts";
import { statement } from "../../database/database.ts";
import { parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { completeRecurrence, type Recurrence } from "../../engine/kinds/recurrence-rule.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { never } from "../../engine/sql/clauses.ts";
import { getToday } from "../shared/current-date.ts";
import { buildLinkedToParentCondition } from "../shared/parent-condition.ts";
import { ciCovered } from "../sla/coverage.ts";
import { getRecurrence, settleNextOccurrence } from "../time/recurrence.ts";
import { getCiRuleSet, getCiType, isSoftware } from "./ci-rule-set.ts";
import { isSupportedByMyTeams } from "./product.ts";

// CI1 to CI9

type CiChange = Change<typeof ci>;
type ActionStatus = EnumerationValue<"ci.action_status">;

/** The action statuses that an item on its way out can have; the first one is the default. */
const actionStatuses: Partial<Record<EnumerationValue<"ci.status">, readonly [ActionStatus, ...ActionStatus[]]>> = {
  to_be_removed: ["not_required", "for_disposal", "to_return"],
  removed: ["not_required", "utilized", "returned"],
};

function setActionStatus({ before, after, given, problem }: CiChange): void {
  const allowed = actionStatuses[after.status];
  if (allowed === undefined) after.action_status = null;
  else if (after.action_status === null || (before?.status !== after.status && !given.has("action_status")))
    after.action_status = allowed[0];
  else if (!allowed.includes(after.action_status)) problem("action_status", "is not included in the list");
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

/** A label is the prefix of the newest label in the product category and the next number, padded to the same width. */
async function setLabel({ tx, after, by }: CiChange): Promise<void> {
  if (after.label !== null || after.product === null) return;
  const [row] = await tx.query(selectProduct, [after.product]);
  if (row === undefined) return;
  const [, , category, name] = row;
  const [newest] = await tx.query(selectNewestLabel, [by.account, category ?? null]);
  const first = `${
    (name ?? "")
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, 3)
      .toUpperCase() || "CI"
  }00000`;
  const model = newest?.[0] ?? first;
  const digits = /\d{0,18}$/.exec(model)?.[0] ?? "";
  const prefix = model.slice(0, model.length - digits.length);
  tx.send(acquireLock, [buildLockKey("labels", by.account, prefix)]);
  const [last] = await tx.query(selectLastNumber, [by.account, prefix]);
  after.label = prefix.slice(0, 140) + String(BigInt(last?.[0] ?? 0) + 1n).padStart(digits.length, "0");
}

const selectProductName = batchedRead("SELECT name FROM products WHERE id = $1", { 1: "integer" });

/** An item without a name takes the name of its product. */
async function setName({ tx, after }: CiChange): Promise<void> {
  if (after.name !== null || after.product === null) return;
  const [row] = await tx.query(selectProductName, [after.product]);
  after.name = row?.[0] ?? null;
}

function checkSupportTeam({ after, problem }: CiChange): void {
  if (after.support_team === null && after.status !== null && after.status !== "removed")
    problem("support_team", "can't be blank");
}

const fieldsNeededToRecur = ["workflow_template", "workflow_manager"] as const;

/** A new item takes the recurrence of its product, starting today, if it has everything that a recurrence needs. */
async function setRecurrence(change: CiChange): Promise<void> {
  const { by, before, after, given, problem } = change;
  const missing = fieldsNeededToRecur.filter((member) => after[member] === null);
  const fromProduct = before === null && !given.has("recurrence") ? getRecurrence(after) : null;
  if (fromProduct !== null) after.recurrence = missing.length > 0 ? null : startRecurrenceToday(fromProduct, by);
  if (after.recurrence === null) return;
  for (const member of missing) problem("recurrence", "is not valid without {member}", { member });
  await settleNextOccurrence(change);
}

function startRecurrenceToday(fromProduct: Recurrence, by: Caller): Recurrence {
  const start_date = getToday(by, fromProduct.time_zone);
  return completeRecurrence({ without: [] }, { ...fromProduct, start_date }, by.accountRecord.time_zone).value;
}

async function loadRuleSet({ tx, after }: CiChange): Promise<EnumerationValue<"product_category.rule_set"> | null> {
  if (after.product === null) return null;
  const [row] = await tx.query(selectProduct, [after.product]);
  return getCiRuleSet(parseChoice(product.fields.rule_set, row?.[0]), after.license_type !== null);
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
  buildLinkedToParentCondition(`${type} of ci`, { table, own: `${type}_id`, parent: "ci_id" });

export const ciParentConditions = {
  request: buildUsesCiCondition("request_cis", "request"),
  problem: buildUsesCiCondition("problem_cis", "problem"),
  task: buildUsesCiCondition("task_cis", "task"),
};

const deleteRelations = statement("DELETE FROM ci_relations WHERE $1 IN (of_ci_id, ci_id)");

export const ciRules = rulesFor(ci, {
  beforePurge: (tx, id) => tx.send(deleteRelations, [id]),
  conditions: {
    "is supported by one of my teams": isSupportedByMyTeams,
    "I am covered for it": (by) => ciCovered(by, by.person),
    "that person is covered for it": (by, person) => (person === undefined ? never : ciCovered(by, person)),
  },
  beforeSave: steps(setActionStatus, checkSupportTeam, setLabel, setName, setRecurrence),
  derive: {
    "rule set of its product": loadRuleSet,
    "software or hardware": ({ after }) => getCiType(after.rule_set),
    "is software": ({ after }) => isSoftware(after.rule_set),
    async "brand of its product"({ tx, after }) {
      if (after.product === null) return null;
      return (await tx.query(selectProduct, [after.product]))[0]?.[1] ?? null;
    },
  },
  // An item without a label gets the next free one, and a later item may revive one that is retired or renamed now.
  conflictKeys({ label, name, status }, isNew) {
    if (label === null || label === "" || (isNew && label === undefined)) return null;
    if ((typeof status === "string" && inactiveStatuses.includes(status)) || (!isNew && name !== undefined))
      return null;
    return label === undefined ? [] : [`label ${String(label).toLowerCase()}`];
  },
  /** Creating an item with the name or label of an inactive one revives that item. */
  async existingFor(tx, by, { name, label }) {
    if (name == null && label == null) return null;
    // The label of an active item is taken, even if the name is that of an inactive one.
    if (label != null && (await tx.query(selectLabelInUse, [by.account, label, inactiveStatuses])).length > 0)
      return null;
    const [row] = await tx.query(selectSameNameOrLabel, [by.account, label ?? null, name ?? null, inactiveStatuses]);
    return parseNumberOrNull(row?.[0]);
  },
  valuesOnRestore({ status }) {
    return inactiveStatuses.includes(status) ? {} : { status: "removed", action_status: "not_required" };
  },
});

export const ciRelationRules = rulesFor(ciRelation, {
  conflictKeys: (_, isNew) => (isNew ? [] : null),
  beforeSave({ after, problem }) {
    if (after.ci !== null && after.ci === after.of_ci) problem("ci", "is not valid");
  },
});
