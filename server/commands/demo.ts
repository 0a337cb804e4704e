import { signIns } from "../../demo/data/accounts.ts";
import { setDemoPasswords } from "../../demo/loader/passwords.ts";
import { OperatorError } from "../base/errors.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Load the demo company with three months of work.",
  details:
    "The first start with ENVIRONMENT=demo does this automatically. Loading is atomic and happens only once.\n" +
    "Not available in production.",
  example: `${program} demo`,
  async run(_given, terminal) {
    const configuration = loadConfiguration(terminal);
    if (configuration.environment === "production")
      throw new OperatorError("The demo company can't be loaded in production. Set ENVIRONMENT to demo or qa.");
    const { loadDemo } = await import("../../demo/loader/load.ts");
    const password = await withEngine(configuration, { whenNew: "create", say: terminal.say }, async (engine, files) =>
      (await loadDemo({ engine, files }, terminal.say, { work: configuration.demoWork ? "with it" : "none" }))
        ? setDemoPasswords(engine)
        : null,
    );
    const isLoaded = password !== null;
    terminal.print(
      isLoaded ? "The demo company is loaded." : "The demo company is already loaded. Nothing was changed.",
    );
    for (const { role, email, account } of isLoaded ? signIns : [])
      terminal.print(`  ${role.padEnd(14)} ${email}  in account ${account}`);
    if (isLoaded) terminal.print(`  ${"password".padEnd(14)} ${password}  (for all three; shown only once)`);
    return 0;
  },
});
