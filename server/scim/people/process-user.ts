import { toTimestamp } from "../../base/clock.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import type { Members } from "../change/draft.ts";
import type { Scim } from "../context.ts";
import { isObject } from "../filter/match-filter.ts";
import type { ScimJobPayload } from "../jobs.ts";
import { disablePerson } from "./disable-person.ts";
import { planFailureMail } from "./failure-mail.ts";
import { loadScimRules, runScimRules } from "./run-rules.ts";
import { newPersonId, savePerson, type UserRun } from "./save-person.ts";

const lock = statement(
  "SELECT document, person_id, active FROM scim_users WHERE account_id = $1 AND id = $2 FOR UPDATE",
);
const selectPerson = statement(
  "SELECT id FROM people WHERE account_id = $1 AND lower(primary_email) = lower($2) AND life_cycle = 'active'",
);
const selectActive = statement("SELECT 1 FROM people WHERE id = $1 AND account_id = $2 AND life_cycle = 'active'");
const save = statement(
  "UPDATE scim_users SET person_id = $3, last_error = $4::text, failed = $4::text IS NOT NULL, processed_at = $5 WHERE account_id = $1 AND id = $2",
);

/** Runs the rules of a user. The lock of the row keeps two runs of one user apart. */
export async function processUser(scim: Scim, { account, id }: ScimJobPayload): Promise<void> {
  const { engine } = scim;
  await engine.database.transaction(async (tx) => {
    const [[row], rules] = await Promise.all([tx.query(lock, [account, id]), loadScimRules(tx, account, "scim_user")]);
    if (row === undefined) return;
    const isActive = row[2] === "t";
    const found = await findPerson(tx, account, row[1] ?? null, JSON.parse(row[0] ?? "{}") as Members);
    const saved = { person: found ?? newPersonId };
    const run: UserRun = { account, person: found, saved };
    const errors = await runScimRules(
      scim,
      tx,
      { account, type: "scim_user", id, saved },
      rules,
      {
        names: { person_is_new: found === null },
        saveInstead: (context, target, members) => savePerson(run, context, target, members),
      },
      () => {
        run.person = found;
        saved.person = found ?? newPersonId;
      },
    );
    // No rule can keep somebody in whom the identity provider has sent away.
    if (!isActive && run.person !== null) await disablePerson(scim, tx, account, run.person);
    const lastError = errors.length === 0 ? null : errors.join("\n").slice(0, 2000);
    const now = engine.clock.now();
    tx.send(save, [account, id, run.person, lastError, toTimestamp(now)]);
    if (lastError !== null) planFailureMail(tx, account, now);
  });
}

/** The person that was linked once stays linked; else the one with the address of the user. */
async function findPerson(
  tx: Transaction,
  account: string,
  linked: string | null,
  document: Members,
): Promise<number | null> {
  if (linked !== null && (await tx.query(selectActive, [linked, account])).length > 0) return Number(linked);
  const address = pickAddress(document);
  if (address === null) return null;
  const [row] = await tx.query(selectPerson, [account, address]);
  return row === undefined ? null : Number(row[0]);
}

/** The userName when it is an e-mail address, else the primary e-mail, else the first. */
export function pickAddress({ userName, emails }: Members): string | null {
  if (typeof userName === "string" && userName.includes("@")) return userName;
  const list = Array.isArray(emails) ? emails.filter(isObject) : [];
  const picked = (list.find(({ primary }) => primary === true) ?? list[0])?.value;
  return typeof picked === "string" && picked !== "" ? picked : null;
}
