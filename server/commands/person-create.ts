import {
  buildAdministratorCaller,
  commandLineSource,
  requireAccount,
} from "../actions/accounts/administrator-caller.ts";
import { grantRoles, parseRoles } from "../actions/accounts/grant-roles.ts";
import { runInOneTransaction } from "../actions/accounts/one-transaction.ts";
import { OperatorError } from "../base/errors.ts";
import { type Database, statement } from "../database/database.ts";
import { type Account, listAccountAndDirectory } from "../engine/caller.ts";
import { create } from "../engine/create.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

const selectByName = statement("SELECT id FROM organizations WHERE name = $1 AND account_id = ANY($2::text[])");

export const personCreate = defineCommand({
  name: "person create",
  summary: "Create a person and print the person's ID.",
  details: "If the account has no owner, its first administrator becomes the owner.",
  options: {
    name: { value: "NAME", required: true, help: "full name" },
    email: { value: "ADDRESS", required: true, help: "primary email address, unique within the account" },
    account: { value: "ID", required: true, help: "account the person is registered in" },
    roles: { value: "ROLES", help: "roles in that account, separated by commas (default: none, an end user)" },
    organization: { value: "NAME", help: "organization of the person (default: the account's own)" },
  },
  example: `${program} person create --name "Ada Quill" --email ada@acme.example --account acme --roles account_administrator`,
  async run({ name, email, account: accountId, roles, organization }, terminal) {
    const held = roles === undefined ? [] : parseRoles(roles);
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const id = await withEngine(loadConfiguration(terminal), options, (engine) =>
      runInOneTransaction(engine, async (joined, tx) => {
        const account = await requireAccount(joined.database, accountId);
        const by = buildAdministratorCaller(account, commandLineSource, engine.clock.now());
        const organization_id = await findOrganization(joined.database, account, organization);
        const members = { name, primary_email: email, organization_id };
        const saved = await create(joined, by, joined.types.get("person"), { members });
        await grantRoles(joined, tx, by, { person: saved.id, account: account.id, roles: held });
        return saved.id;
      }),
    );
    terminal.print(String(id));
    return 0;
  },
});

async function findOrganization(database: Database, account: Account, name?: string): Promise<number | null> {
  if (name === undefined) return account.organization;
  const accounts = listAccountAndDirectory(account);
  const found = await database.read(selectByName, [name, accounts]);
  if (found.length === 0)
    throw new OperatorError(`No organization named "${name}" in account ${accounts.join(" or ")}.`);
  if (found.length > 1) throw new OperatorError(`${found.length} organizations are named "${name}".`);
  return Number(found[0]?.[0]);
}
