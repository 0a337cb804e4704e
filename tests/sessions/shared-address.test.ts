import { beforeEach, expect, test } from "vitest";
import { setPassword } from "../../server/oauth/passwords/change-password.ts";
import { FormBrowser, passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// People of several accounts share an email address (D-780). One person's sign-ins never give an attacker more guesses
// at another's password.

const at = await world();
await setPasswords(at, "administrator");
const email = "ada@widget.example";
const [victim, attacker] = [1, 8];
await at.sql("UPDATE people SET primary_email = $1 WHERE id = $2", [email, attacker]);
const dayBefore = () => new Date(at.clock.now().getTime() - 86_400_000);
const setAttackerPassword = (password: string, now = at.clock.now()) =>
  setPassword(at.service.engine.database, now, { email, account: "provider", password });

beforeEach(async () => {
  await at.sql("DELETE FROM sign_in_delays");
  await setAttackerPassword("the attacker's own", dayBefore());
});

const attempt = async (password: string, browser = new FormBrowser(at.url), address = email) => {
  browser.cookies.delete("steward_session");
  return browser.submit(await browser.get("/sign_in"), "/sign_in", { email: address, password });
};
/** Returns how often the server compared a wrong password with the victim's. */
const countChecks = async () =>
  (await at.sql("SELECT 1 FROM security_events WHERE person_id = $1 AND event = 'sign-in-failed'", [victim])).length;

/**
 * Alternates guesses and the attacker's own sign-ins. Returns how many guesses were compared with the victim's
 * password.
 */
async function guessInTurn(count: number, browser?: () => FormBrowser): Promise<number> {
  const before = await countChecks();
  for (let n = 0; n < count; n++) {
    await attempt(`guess number ${n}`, browser?.());
    await attempt("the attacker's own", browser?.());
    await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%'"); // each guess comes from another network
  }
  return (await countChecks()) - before;
}

test("a sign-in of another person with the same address doesn't reset the count of wrong passwords", async () => {
  expect(await guessInTurn(12)).toBeLessThanOrEqual(5);
});

test("it doesn't reset it on a device or in a network where only the other person signed in, either", async () => {
  const own = new FormBrowser(at.url);
  expect((await attempt("the attacker's own", own)).status).toBe(302);
  expect(await guessInTurn(12, () => own)).toBeLessThanOrEqual(5);
  const others: number[] = [];
  for (let n = 0; n < 21; n++) others.push((await attempt("wrong", own, `person${n}@widget.example`)).status);
  expect(others.at(-1)).toBe(429);
  expect((await attempt("the attacker's own", own)).status).toBe(429); // the victim is unknown here, so the network's count applies
});

test("a password that its owner has just chosen counts as a guess at the others", async () => {
  for (let n = 0; n < 5; n++) {
    await setAttackerPassword(`chosen to compare ${n}`);
    expect((await attempt(`chosen to compare ${n}`)).status).toBe(302);
  }
  await setAttackerPassword(passwordFor("administrator"));
  // The sixth matches both, but is compared with only one, so no choice of accounts is shown.
  const reply = await attempt(passwordFor("administrator"));
  expect([reply.status, reply.text.includes("Choose an account")]).toEqual([302, false]);
});

test("a person who uses both passwords every day never waits in either account", async () => {
  for (let n = 0; n < 8; n++) expect((await attempt("the attacker's own")).status).toBe(302);
  expect((await attempt(passwordFor("administrator"))).status).toBe(302);
});

test("a password reset ends only that person's delay", async () => {
  for (let n = 0; n < 5; n++) await attempt(`guess number ${n}`);
  expect((await attempt("guess number 6")).status).toBe(429);
  const browser = new FormBrowser(at.url);
  await browser.submit(await browser.get("/password_reset"), "/password_reset", { email });
  await at.service.worker.runDue();
  const links = () => loadReceivedTexts(at, "account_id = 'provider' AND subject = 'Reset your password'");
  await until(async () => (await links()).length > 0);
  const link = /\/password_reset\/[A-Za-z0-9]{112}/.exec((await links()).at(-1)?.body ?? "")?.[0] as string;
  await browser.submit(await browser.get(link), "/password_reset/", { password: "chosen by the attacker" });
  const before = await countChecks();
  expect((await attempt("guess number 7")).status).toBe(429); // for the person whose password was not compared
  expect(await countChecks()).toBe(before);
  expect((await attempt("chosen by the attacker")).status).toBe(302);
});
