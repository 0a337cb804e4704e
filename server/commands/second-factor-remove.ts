import { OperatorError } from "../base/errors.ts";
import { jsonStatement, queryRows } from "../database/rows.ts";
import { removePasskeys } from "../oauth/passkeys/passkey-store.ts";
import { removeSecondFactor } from "../oauth/second-factor/second-factor.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

const selectOwners = jsonStatement<{ id: number; account: string }>(
  `SELECT p.id, p.account_id AS account FROM people p 
WHERE (EXISTS (SELECT 1 FROM second_factors f WHERE f.person_id = p.id) OR EXISTS (SELECT 1 FROM passkeys k WHERE k.person_id = p.id)) AND lower(p.primary_email) = lower($1) AND ($2::text IS NULL OR p.account_id = $2) ORDER BY p.id`,
);

export const secondFactorRemove = defineCommand({
  name: "second-factor remove",
  summary: "Remove a person's second factor so that they can sign in with only their password.",
  details:
    "The person can set up two-step verification again. If the account requires it, the next sign-in asks for the setup.",
  options: {
    email: { value: "ADDRESS", required: true, help: "primary email address of the person" },
    account: { value: "ID", help: "account of the person, if several accounts use the address" },
  },
  example: `${program} second-factor remove --email ada@acme.example`,
  async run({ email, account }, terminal) {
    const options = { whenNew: "refuse", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), options, async ({ database, clock }) => {
      const owners = await queryRows(database, selectOwners, [email, account ?? null]);
      const [person] = owners;
      if (person === undefined)
        throw new OperatorError(`No person with the email address ${email} has a second factor.`);
      if (owners.length > 1)
        throw new OperatorError(
          `The email address ${email} is used in several accounts. Choose one with --account: ${owners.map((each) => each.account).join(", ")} with --account.`,
        );
      await database.transaction(async (tx) => {
        await removePasskeys(tx, clock.now().toISOString(), person, null, { by: null });
        await removeSecondFactor(tx, clock.now().toISOString(), person, { by: null });
      });
    });
    terminal.say(`Second factor removed. ${email} can now sign in with a password.`);
    return 0;
  },
});
