import { accounts, signIns } from "../../../demo/data/accounts.ts";
import { setDemoPasswords } from "../../../demo/loader/passwords.ts";
import type { Configuration } from "../../base/configuration.ts";
import type { Engine } from "../../engine/engine.ts";
import { createPersonalAccessToken } from "../../oauth/personal-access-tokens.ts";
import { statement } from "../../storage/database.ts";

/** What a start found, and so what there is to say about it. */
export type StartState =
  | { found: "nothing" }
  | { found: "nothing, demo loaded"; token: string; password: string }
  | { found: "the demo company" }
  | { found: "data" };

const countAccounts = statement("SELECT count(*), count(*) FILTER (WHERE id = $1) FROM accounts");
const directory = accounts[0]?.id ?? "";

/** An empty database gets the demo company where that is wanted, and a first token. */
export async function prepareFirstStart(
  { environment, demoWork }: Configuration,
  engine: Engine,
  say: (line: string) => void,
): Promise<StartState> {
  const [row] = await engine.database.read(countAccounts, [directory]);
  if (row?.[0] !== "0") return { found: row?.[1] === "1" ? "the demo company" : "data" };
  if (environment !== "demo") return { found: "nothing" };
  say("Loading the demo company ...");
  const { loadDemo } = await import("../../../demo/loader/load.ts"); // a company of data that other starts do without
  if (!(await loadDemo(engine, say, { withWork: demoWork }))) return { found: "the demo company" }; // another server was quicker
  const { email } = signIns[0];
  const wanted = { email, account: directory, name: "First start", actions: ["*:*"] };
  return {
    found: "nothing, demo loaded",
    token: await createPersonalAccessToken(engine.database, engine.clock, wanted),
    password: await setDemoPasswords(engine),
  };
}
