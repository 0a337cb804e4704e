import { statement, type Transaction } from "../../database/database.ts";
import { createUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import type { ScimType } from "../jobs.ts";

// The rules that an account begins with. They are ordinary automation rules: an administrator changes them, or adds others.

type RuleTexts = { name: string; description: string; expressions: string; condition: string; actions: string };

const personRule: RuleTexts = {
  name: "Person of a SCIM user",
  description: "Creates and updates the person of every user that the identity provider sends.",
  expressions: `address: user_name ~ '@' then user_name else coalesce(emails.select(primary = true)[first].value, emails[first].value)
login: user_name ~ '@' then nil else user_name
given: name.given_name
family: name.family_name
full: coalesce(display_name, login, name.formatted, (given + ' ' + family).strip)
org: coalesce(find(organization, enterprise.organization), groups.select(classification = 'organization')[first].organization, person.organization, account.organization)
place: coalesce(find(site, enterprise.site), groups.select(classification = 'site')[first].site, person.site)
boss: find(scim_user, enterprise.manager.value).person
leader: boss then (boss.disabled then nil else boss) else person.manager
important: user_type then user_type ~ 'VIP' else person.vip
language: person_is_new then locale else person.locale
zone: person_is_new then timezone else person.time_zone
gone: active = false
others: emails.reject(value = address)`,
  condition: "address and coalesce(full, person.name)",
  actions: `a1: update person set primary_email = address
a2: update person set name = coalesce(full, person.name)
a3: update person set job_title = coalesce(title, person.job_title)
a4: update person set location = coalesce(enterprise.location, person.location)
a5: update person set employeeID = coalesce(enterprise.employee_number, person.employeeID)
a6: update person set supportID = coalesce(enterprise.support_id, person.supportID)
a7: update person set organization = org
a8: update person set site = place
a9: update person set manager = leader
a10: update person set vip = important
a11: update person set locale = language
a12: update person set time_zone = zone
a13: update person set disabled = gone
a14: update person set source = 'SCIM'
a15: update person set sourceID = id
a16: update person set contacts = [phone_numbers, others]
a17: update person set addresses = addresses`,
};

const buildGroupRule = (type: "organization" | "site", label: string): RuleTexts => ({
  name: `${label} of a SCIM group`,
  description: `Links a group with the ${type} of the same name, which then follows the name of the group.`,
  expressions: `found: coalesce(${type}, find(${type}, display_name))
renamed: found.name = display_name then nil else found`,
  condition: "found",
  actions: `a1: set ${type} = found
a2: set classification = '${type}'
a3: update renamed set name = display_name`,
});

const rules: Record<ScimType, readonly RuleTexts[]> = {
  scim_user: [personRule],
  scim_group: [buildGroupRule("organization", "Organization"), buildGroupRule("site", "Site")],
};

const selectAny = statement("SELECT 1 FROM automation_rules WHERE account_id = $1 AND generic = $2 LIMIT 1");

/** Gives an account the rules that it lacks; rules that are disabled count as present. */
export async function installDefaultRules(
  engine: Engine,
  tx: Transaction,
  account: string,
  types: readonly ScimType[] = ["scim_group", "scim_user"],
): Promise<void> {
  const by = await loadServiceCaller(tx, account, engine.clock.now());
  for (const generic of types) {
    if ((await tx.query(selectAny, [account, generic])).length > 0) continue;
    for (const [at, texts] of rules[generic].entries())
      await createUnchecked(
        { engine, tx, by, type: engine.types.get("automation_rule") },
        { ...texts, generic, trigger: "on update", position: at + 1, disabled: false },
        { account },
      );
  }
}
