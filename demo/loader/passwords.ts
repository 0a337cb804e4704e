import { randomInt } from "node:crypto";
import type { Engine } from "../../server/engine/engine.ts";
import { setPassword } from "../../server/oauth/passwords/change-password.ts";
import { accounts, signIns } from "../data/accounts.ts";

// Chosen anew for every demo: a password that everybody knows would open every demo that is ever put on a network.

const letters = "abcdefghijkmnpqrstuvwxyz23456789"; // none that can be mistaken for another
const createWord = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");

/** One password for the people shown at the first start; answers it, because it is kept nowhere. */
export async function setDemoPasswords(engine: Engine): Promise<string> {
  const password = [createWord(), createWord(), createWord(), createWord()].join("-");
  const home = accounts[0]?.id ?? "";
  for (const { email } of signIns)
    await setPassword(engine.database, engine.clock.now(), { email, account: home, password });
  return password;
}
