import { randomInt } from "node:crypto";
import type { Engine } from "../../server/engine/engine.ts";
import { setPassword } from "../../server/oauth/passwords/change-password.ts";
import { accounts, signIns } from "../data/accounts.ts";

// Random for every demo: a well-known password would open every demo that is reachable over a network.

const letters = "abcdefghijkmnpqrstuvwxyz23456789"; // no characters that look alike
const createWord = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");

/** Sets one password for the people shown at the first start, and returns it: it is not stored in plain text. */
export async function setDemoPasswords(engine: Engine): Promise<string> {
  const password = [createWord(), createWord(), createWord(), createWord()].join("-");
  const home = accounts[0]?.id ?? "";
  for (const { email } of signIns)
    await setPassword(engine.database, engine.clock.now(), { email, account: home, password });
  return password;
}
