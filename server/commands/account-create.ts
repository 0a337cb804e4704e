import { commandLineSource } from "../actions/accounts/administrator-caller.ts";
import { createAccount } from "../actions/accounts/create-account.ts";
import { runInOneTransaction } from "../actions/accounts/one-transaction.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const accountCreate = defineCommand({
  name: "account create",
  summary: "Create an account and print its ID.",
  details:
    "Creates an organization with the same name. With --directory, the account becomes a support domain of that\n" +
    "account and shares its people, organizations and sites instead.",
  options: {
    id: {
      value: "ID",
      required: true,
      help: "lowercase letters, digits and hyphens; used in the account header",
    },
    name: { value: "NAME", required: true, help: "full name" },
    directory: { value: "ID", help: "directory account it belongs to" },
    "time-zone": { value: "ZONE", help: "for example Amsterdam or Europe/Amsterdam (default: UTC)" },
    locale: { value: "LANGUAGE", help: "for example en-GB or nl (default: en-US)" },
    currency: { value: "CODE", help: "for example usd (default: eur)" },
  },
  example: `${program} account create --id acme --name "Acme" --time-zone Europe/Amsterdam`,
  async run({ id, name, directory, "time-zone": time_zone, locale, currency }, terminal) {
    const given = { name, time_zone, locale, currency };
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const options = { whenNew: "create", say: terminal.say } as const;
    await withEngine(loadConfiguration(terminal), options, (engine) =>
      runInOneTransaction(engine, (joined, tx) =>
        createAccount(joined, tx, { id, directory, fields }, commandLineSource, engine.clock.now()),
      ),
    );
    terminal.print(id);
    return 0;
  },
});
