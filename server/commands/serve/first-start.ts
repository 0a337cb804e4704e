import { accounts, signIns } from "../../../demo/data/accounts.ts";
import { setDemoPasswords } from "../../../demo/loader/passwords.ts";
import type { Configuration } from "../../base/configuration.ts";
import { statement } from "../../database/database.ts";
import { buildSetupPath } from "../../oauth/first-account/setup-address.ts";
import { createPersonalAccessToken } from "../../oauth/personal-access-tokens.ts";
import type { Service } from "../../service.ts";

/** The state of the database at startup; decides the welcome text. */
export type StartState =
  | { found: "nothing" /** where the first account is created in the browser */; setupPath: string }
  | { found: "nothing, demo loaded"; token: string; password: string }
  | { found: "the demo company" }
  | { found: "data" };

const countAccounts = statement("SELECT count(*), count(*) FILTER (WHERE id = $1) FROM accounts");
const directory = accounts[0]?.id ?? "";

/** Loads the demo company into an empty database when ENVIRONMENT is demo, and creates a first token. */
export async function prepareFirstStart(
  { environment, demoWork }: Configuration,
  { engine, oauth, api: { files } }: Pick<Service, "engine" | "oauth" | "api">,
  say: (line: string) => void,
  abortSignal: AbortSignal,
): Promise<StartState> {
  const [row] = await engine.database.read(countAccounts, [directory]);
  if (row?.[0] !== "0") return { found: row?.[1] === "1" ? "the demo company" : "data" };
  if (environment !== "demo") return { found: "nothing", setupPath: buildSetupPath(oauth) };
  say("Loading the demo company…");
  const { loadDemo } = await import("../../../demo/loader/load.ts"); // loaded on demand: other starts do not need it
  const isLoaded = await loadDemo({ engine, files }, say, { work: demoWork ? "later" : "none", abortSignal });
  if (!isLoaded) return { found: "the demo company" }; // another server loaded it meanwhile
  const { email } = signIns[0];
  const tokenInput = { email, account: directory, name: "First start", actions: ["*:*"] };
  return {
    found: "nothing, demo loaded",
    token: await createPersonalAccessToken(engine.database, engine.clock, tokenInput),
    password: await setDemoPasswords(engine),
  };
}
