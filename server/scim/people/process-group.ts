import { enumerations } from "../../../records/enumerations/index.ts";
import type { ActionContext } from "../../automation/action-context.ts";
import { Failure } from "../../automation/language/errors.ts";
import type { Reference } from "../../automation/language/values.ts";
import type { RunExtension } from "../../automation/run-rule.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement, type Transaction, type Value } from "../../database/database.ts";
import { enqueueUsers, type ScimJobPayload } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";
import { planFailureMail } from "./failure-mail.ts";
import { loadScimRules, runScimRules } from "./run-rules.ts";

const lock = statement(
  "SELECT classification, organization_id, site_id FROM scim_groups WHERE account_id = $1 AND id = $2 FOR UPDATE",
);
const setMeaning = statement(
  "UPDATE scim_groups SET classification = $3, organization_id = $4, site_id = $5 WHERE account_id = $1 AND id = $2",
);
const save = statement("UPDATE scim_groups SET last_error = $3, processed_at = $4 WHERE account_id = $1 AND id = $2");
const selectMembers = statement(
  "SELECT member_id FROM scim_group_members WHERE account_id = $1 AND group_id = $2 AND NOT is_group",
);

/** The meaning of a group, set by rules. */
type Meaning = { classification: Value; organization: Value; site: Value };
type GroupRun = { account: string; id: number; meaning: Meaning };

/** Runs the rules of a group, and plans those of users: who joined or left, or all when the group means something else. */
export async function processGroup(scim: Scim, { account, id, members = [] }: ScimJobPayload): Promise<void> {
  const { engine } = scim;
  await engine.database.transaction(async (tx) => {
    const [[row], rules] = await Promise.all([tx.query(lock, [account, id]), loadScimRules(tx, account, "scim_group")]);
    const now = engine.clock.now();
    tx.afterCommit(() => scim.wake());
    if (row === undefined) return enqueueUsers(tx, account, members, now);
    const [classification = null, organization = null, site = null] = row;
    const before: Meaning = { classification, organization, site };
    const run: GroupRun = { account, id, meaning: { ...before } };
    const subject = { account, type: "scim_group" as const, id, saved: null };
    const errors = await runScimRules(scim, tx, subject, rules, buildExtension(run), () => {
      run.meaning = { ...before };
    });
    const lastError = errors.length === 0 ? null : errors.join("\n").slice(0, 2000);
    tx.send(save, [account, id, lastError, toTimestamp(now)]);
    if (lastError !== null) planFailureMail(tx, account, now);
    const isChanged = (["classification", "organization", "site"] as const).some(
      (name) => String(before[name]) !== String(run.meaning[name]),
    );
    const all = isChanged ? (await tx.query(selectMembers, [account, id])).map(([member]) => Number(member)) : [];
    enqueueUsers(tx, account, [...new Set([...all, ...members])], now);
  });
}

const buildExtension = (run: GroupRun): RunExtension => ({
  names: {},
  saveInstead: (context, target, given) => saveMeaning(run, context, target, given),
});

/** For a rule that is tried with a group. Null: the group no longer exists. */
export async function extendGroupRun(
  tx: Transaction,
  account: string,
  id: number,
): Promise<{ saved: null; extension: RunExtension } | null> {
  const [row] = await tx.query(lock, [account, id]);
  if (row === undefined) return null;
  const [classification = null, organization = null, site = null] = row;
  return { saved: null, extension: buildExtension({ account, id, meaning: { classification, organization, site } }) };
}

/** The fields of a group that rules set are written here: no caller may. */
async function saveMeaning(
  run: GroupRun,
  { tx, evaluationContext }: ActionContext,
  target: Reference,
  members: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (target.type === "scim_user") throw new Failure("permission", "SCIM users are changed by the identity provider");
  if (target.type !== "scim_group") return false;
  if (Number(target.id) !== run.id) throw new Failure("permission", "a rule sets fields of its own group only");
  for (const [name, value] of Object.entries(members)) {
    if (!(name in run.meaning)) throw new Failure("evaluation", `scim_group has no field '${name}' that can be set`);
    const isKnown =
      name !== "classification" || enumerations["scim_group.classification"].includes(value as "organization");
    if (!isKnown) throw new Failure("validation", "the classification is not valid");
    run.meaning[name as keyof Meaning] = value as Value;
  }
  const { classification, organization, site } = run.meaning;
  await tx.query(setMeaning, [run.account, run.id, classification, organization, site]);
  evaluationContext.invalidate([target]);
  return true;
}
