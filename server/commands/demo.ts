import { Mistake } from "../base/errors.ts";
import { command, configurationOf } from "./command.ts";
import { signIns } from "./demo/accounts.ts";
import { loadDemo } from "./demo/load.ts";
import { program } from "./help.ts";
import { withEngine } from "./with-engine.ts";

export const demo = command({
  name: "demo",
  summary: "Load the demo company: accounts, people, teams, services and more.",
  details:
    "The first start with ENVIRONMENT=demo does this by itself. It comes as a whole or not at all, and not twice.\n" +
    "Its people can be signed in as by anybody who reads the manual, so it is refused in production.",
  example: `${program} demo`,
  async run(_given, terminal) {
    const configuration = configurationOf(terminal);
    if (configuration.environment === "production")
      throw new Mistake("The demo company does not belong into production: set ENVIRONMENT to demo or qa.");
    const loaded = await withEngine(configuration, { whenNew: "create", say: terminal.say }, loadDemo);
    terminal.print(loaded ? "The demo company is loaded." : "The demo company is there already; nothing changed.");
    for (const { role, email, account } of loaded ? signIns : [])
      terminal.print(`  ${role.padEnd(14)} ${email}  in account ${account}`);
    return 0;
  },
});
