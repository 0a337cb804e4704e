import { requireAccount } from "../actions/accounts/administrator-caller.ts";
import { OperatorError } from "../base/errors.ts";
import { type Database, statement } from "../database/database.ts";
import { createPersonalAccessToken } from "../oauth/personal-access-tokens.ts";
import { usualTokenDays } from "../oauth/policy/token-lifetime.ts";
import { listScopeNames, parseActions } from "../oauth/scopes/scopes.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const tokenCreate = defineCommand({
  name: "token create",
  summary: "Create a personal access token and print only the token.",
  details: "The token is shown only once. Anyone who has it can do what the person can do, within its scopes.",
  options: {
    email: { value: "ADDRESS", required: true, help: "primary email address of the person" },
    account: {
      value: "ID",
      required: true,
      help: "account the person is registered in, or one of its support domains",
    },
    name: { value: "NAME", help: 'what the token is for (default: "Command line")' },
    scopes: { value: "SCOPES", help: "for example person:Read,team:RU (default: *:*, all scopes)" },
    days: { value: "DAYS", help: `days until the token expires, or never (default: ${usualTokenDays})` },
  },
  example: `${program} token create --email ada@acme.example --account acme --name "Nightly report" --scopes person:Read`,
  async run({ email, account, name = "Command line", scopes = "*:*", days }, terminal) {
    const lifetime = parseDays(days);
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const token = await withEngine(loadConfiguration(terminal), options, async (engine) => {
      const home = await findHomeAccount(engine.database, email, account);
      const actions = parseActions(scopes, listScopeNames(engine.types));
      return createPersonalAccessToken(engine.database, engine.clock, {
        ...{ email, account: home, name, actions, days: lifetime },
      });
    });
    terminal.print(token);
    return 0;
  },
});

function parseDays(text: string | undefined): number | null {
  if (text === undefined) return usualTokenDays;
  if (text === "never") return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new OperatorError("--days must be a number of days, or never.");
  return Number(text);
}

const inDirectory = statement(
  "SELECT 1 FROM people WHERE lower(primary_email) = lower($1) AND account_id = $2 AND NOT EXISTS (SELECT 1 FROM people WHERE lower(primary_email) = lower($1) AND account_id = $3)",
);

/** People of a directory account work in its support domains: --account may name either. */
async function findHomeAccount(database: Database, email: string, id: string): Promise<string> {
  const account = await requireAccount(database, id);
  if (account.directory === null) return id;
  const found = await database.read(inDirectory, [email, account.directory, id]);
  return found.length > 0 ? account.directory : id;
}
