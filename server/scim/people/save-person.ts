import { formatFieldMessage, parseLanguage } from "../../../records/languages/index.ts";
import type { ActionContext } from "../../automation/action-context.ts";
import { Failure } from "../../automation/language/errors.ts";
import type { Reference } from "../../automation/language/values.ts";
import { pickZoneName } from "../../base/time-zones.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { createInTransaction } from "../../engine/create.ts";
import { updateInTransaction } from "../../engine/update.ts";
import { identityFields, identityRefusal, mayChangeSignIn } from "../../rules/people/sign-in-identity.ts";
import { replaceEntries } from "./contacts.ts";
import { isProtected } from "./disable-person.ts";

/** The id of a person that is not there yet, in rules. */
export const newPersonId = 0;

/** The rules of one SCIM user while they run. `person`: null until one exists; `refusals`: changes that were left out */
export type UserRun = {
  account: string;
  person: number | null;
  saved: { person: number };
  refusals: string[];
};

const selectPerson = statement('SELECT account_id, primary_email, "authenticationID" FROM people WHERE id = $1');

/** Creates or updates a person of the account: what rules about SCIM users do with `update person set …`. */
export async function savePerson(
  run: UserRun,
  context: ActionContext,
  target: Reference,
  members: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (target.type !== "person") return false;
  const { engine, tx } = context;
  const by: Caller = { ...context.by, isProvisioning: true };
  const type = engine.types.get("person");
  const { contacts, addresses, ...given } = members;
  const fields = adaptValues(given, context);
  const id = Number(target.id) === newPersonId ? run.person : Number(target.id);
  const person = id ?? (await createPerson(run, context, target, fields));
  const owner = { id: person, account: run.account, isNew: id === null };
  if (id !== null) {
    const [row] = await tx.query(selectPerson, [id]);
    if (row?.[0] !== run.account) throw new Failure("permission", "the person belongs to another account");
    await dropRefusedFields(run, tx, by, { id, primary_email: row[1], authenticationID: row[2] }, fields);
    if (fields.disabled === true && (await isProtected(tx, run.account, id))) {
      delete fields.disabled;
      context.actionLog.push(`person ${id} is the owner or the last administrator of the account and stays enabled`);
    }
    if (Object.keys(fields).length > 0)
      await updateInTransaction({ engine, tx, by, type }, id, { members: fields, strict: true });
  }
  if (contacts !== undefined) await replaceEntries(context, "contacts", owner, contacts);
  if (addresses !== undefined) await replaceEntries(context, "addresses", owner, addresses);
  return true;
}

/** An administrator keeps the address and gets the other changes; administrators see the refusal with the SCIM user (D-781). */
async function dropRefusedFields(
  run: UserRun,
  tx: Transaction,
  by: Caller,
  person: { id: number } & Record<(typeof identityFields)[number], string | null | undefined>,
  fields: Record<string, unknown>,
): Promise<void> {
  const changed = identityFields.filter((name) => name in fields && (fields[name] ?? null) !== (person[name] ?? null));
  if (changed.length === 0 || (await mayChangeSignIn(tx, by, person.id))) return;
  for (const name of changed) {
    delete fields[name];
    run.refusals.push(formatFieldMessage("en-US", [name, identityRefusal]));
  }
}

async function createPerson(
  run: UserRun,
  context: ActionContext,
  target: Reference,
  members: Record<string, unknown>,
): Promise<number> {
  const { engine, tx, by } = context;
  const type = engine.types.get("person");
  const { id } = await createInTransaction({ engine, tx, by, type }, { members, strict: true });
  run.person = id;
  // From here on the rule sees the person that it made.
  run.saved.person = id;
  context.evaluationContext.invalidate([target]);
  return id;
}

/** Identity providers write locales and time zones in various forms; an unknown one changes nothing. */
function adaptValues(
  given: Readonly<Record<string, unknown>>,
  { by, actionLog }: ActionContext,
): Record<string, unknown> {
  const fields = { ...given };
  const adapt = (name: string, read: (text: string) => string | null) => {
    const value = fields[name];
    if (typeof value !== "string") {
      if (value === null) delete fields[name];
      return;
    }
    const known = read(value);
    if (known !== null) fields[name] = known;
    else {
      delete fields[name];
      actionLog.push(`${name} "${value.slice(0, 60)}" is not known`);
    }
  };
  adapt("locale", (text) => {
    const code = text.replace("_", "-");
    return parseLanguage(code) ?? parseLanguage(code.split("-")[0] as string);
  });
  adapt("time_zone", (text) => pickZoneName(text, by.now));
  return fields;
}
