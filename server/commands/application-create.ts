import { requireAccount } from "../actions/accounts/administrator-caller.ts";
import { createApplicationWithClientPair } from "../oauth/applications/create-with-client-pair.ts";
import { defineCommand, loadConfiguration, UsageError } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withEngine } from "./database/with-engine.ts";

const name = "application create";

export const applicationCreate = defineCommand({
  name,
  summary: "Register an OAuth application and print its client_id and client_secret.",
  details:
    "With --grant authorization_code, the application acts for people who allow it and returns them to --redirect-uri. With\n" +
    "--grant client_credentials, it acts as --person. The secret is shown only once.",
  options: {
    account: { value: "ID", required: true, help: "account it belongs to" },
    grant: { value: "GRANT", required: true, help: "authorization_code or client_credentials" },
    name: { value: "NAME", help: 'name shown to people (default: "Application")' },
    "redirect-uri": { value: "URI", help: "where people are redirected; separate several URIs with spaces" },
    person: { value: "ADDRESS", help: "email address of the person it acts as" },
    scopes: { value: "SCOPES", help: "for example person:Read,team:RU (default: *:*, all scopes)" },
  },
  example: `${program} application create --account acme --grant authorization_code --redirect-uri https://app.example/callback --name "Report"`,
  async run({ account, grant, person, scopes = "*:*", ...others }, terminal) {
    if (grant !== "authorization_code" && grant !== "client_credentials")
      throw new UsageError("--grant must be authorization_code or client_credentials.", name);
    const redirectUris = (others["redirect-uri"] ?? "").split(/\s+/).filter((uri) => uri !== "");
    if (grant === "authorization_code" && redirectUris.length === 0)
      throw new UsageError("Missing option: --redirect-uri URI.", name);
    if (grant === "client_credentials" && person === undefined)
      throw new UsageError("Missing option: --person ADDRESS.", name);
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const pair = await withEngine(loadConfiguration(terminal), options, async (engine) => {
      await requireAccount(engine.database, account);
      const displayName = others.name ?? "Application";
      return createApplicationWithClientPair(engine, {
        account,
        name: displayName,
        grant,
        redirectUris,
        person,
        scopes,
      });
    });
    terminal.print(`${pair.client_id} ${pair.client_secret}`);
    return 0;
  },
});
