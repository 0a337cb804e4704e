import { expect, test } from "vitest";
import { buildGuessKey } from "../../server/oauth/sessions/sign-in-delays.ts";
import { FormBrowser, passwordFor, readHiddenFields, setPasswords } from "../support/clients/form-browser.ts";
import { people, type Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Sign-in by email address and password.

const at = await world();
await setPasswords(at, "administrator", "specialist", "requester");
const attempt = async (email: string, password: string, browser = new FormBrowser(at.url)) =>
  browser.submit(await browser.get("/sign_in"), "/sign_in", { email, password });
const signInAs = (role: Role) => attempt(people[role].email, passwordFor(role));

test("the right password starts a session, in a cookie that only the server can read", async () => {
  const browser = new FormBrowser(at.url);
  const page = await browser.signIn("specialist");
  expect([page.status, page.location]).toEqual([302, "/"]);
  const cookie = page.headers.getSetCookie().find((line) => line.startsWith("steward_session="));
  expect(cookie).toMatch(/^steward_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  const { body } = await browser.api("GET", "/me");
  expect(body.person.name).toBe("Sam Specialist");
  expect(body.accounts.map(({ name }: { name: string }) => name)).toContain("Widget IT");
  expect((await attempt(" SAM@Widget.example ", passwordFor("specialist"))).status).toBe(302);
});

test("a wrong password, an unknown address and a person without a password get exactly the same response", async () => {
  const answers = await Promise.all(
    [
      ["sam@widget.example", "wrong"],
      ["nobody@widget.example", "wrong"],
      ["pat@provider.example", "wrong"],
      ["sam@widget.example", ""],
      ["a\0b", "c\0d"],
      ["x".repeat(5000), "y".repeat(5000)],
    ].map(async ([email, password]) => {
      const { status, text } = await attempt(email as string, password as string);
      return `${status} ${/<p class="alert"[^>]*>([^<]*)</.exec(text)?.[1]}`;
    }),
  );
  expect(new Set(answers)).toEqual(new Set(["422 Incorrect email address or password."]));
  await at.sql("DELETE FROM sign_in_delays");
});

test("guessing a password is slowed down more and more, shows the waiting time, and locks no one out forever", async () => {
  const waits: number[] = [];
  const wrong = async () => {
    expect((await attempt("sam@widget.example", "wrong")).status).toBe(422);
    await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%'"); // another test covers the address
  };
  for (let failure = 1; failure < 5; failure++) await wrong();
  for (let failure = 5; failure <= 14; failure++) {
    await wrong();
    const blocked = await signInAs("specialist"); // even the right password has to wait
    expect(blocked.status).toBe(429);
    const wait = Number(blocked.headers.get("retry-after"));
    const words = wait < 60 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`;
    expect(blocked.text).toContain(`Try again in ${words}.`);
    waits.push(wait);
    await at.clock.pass(wait);
  }
  expect(waits[0]).toBe(5);
  for (let i = 1; i < waits.length; i++) expect(waits[i]).toBe(Math.min(900, (waits[i - 1] as number) * 2));
  expect(waits.at(-1)).toBe(900);
  expect((await signInAs("specialist")).status).toBe(302);
  expect((await attempt("sam@widget.example", "wrong")).status).toBe(422); // the count starts again
  expect((await signInAs("specialist")).status).toBe(302);
});

test("concurrent guesses count as well, and unknown addresses are slowed down like known ones", async () => {
  for (const email of ["rita@widget.example", "nobody@nowhere.example"]) {
    await at.sql("DELETE FROM sign_in_delays");
    const replies = await Promise.all(Array.from({ length: 15 }, () => attempt(email, "wrong")));
    expect(replies.filter(({ status }) => status === 422).length).toBe(5);
    expect(replies.filter(({ status }) => status === 429).length).toBe(10);
  }
  await at.sql("DELETE FROM sign_in_delays");
});

test("many guesses from one address are slowed down, across all people", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 22; i++) statuses.push((await attempt(`person${i}@widget.example`, "wrong")).status);
  expect(statuses.slice(0, 20).every((status) => status === 422)).toBe(true);
  expect(statuses.slice(20)).toEqual([429, 429]);
  expect((await signInAs("administrator")).status).toBe(429);
  await at.clock.pass(5);
  expect((await signInAs("administrator")).status).toBe(302);
  await at.sql("DELETE FROM sign_in_delays");
});

test("strangers can't lock owners out of a device on which they have signed in, and the owner is notified once", async () => {
  await at.sql("DELETE FROM sign_in_delays");
  await at.sql("UPDATE people SET locale = 'nl' WHERE id = 3");
  const own = new FormBrowser(at.url);
  expect((await own.signIn("specialist")).status).toBe(302);
  await own.api("DELETE", "/session");
  const warnings = () =>
    at.sql<{ subject: string; body: string }>(
      "SELECT subject, body FROM mails WHERE recipient = 'sam@widget.example' AND body LIKE '%verkeerde wachtwoorden ingevoerd%'",
    );
  /** Makes wrong guesses as strangers, each from another address, as fast as the delays allow. */
  const guess = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%' OR key LIKE 'known%'");
      const { status, headers } = await attempt("sam@widget.example", "wrong");
      await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%'");
      if (status === 429) await at.clock.pass(Number(headers.get("retry-after")));
    }
    await at.service.worker.runDue();
  };
  await guess(9);
  expect(await warnings()).toEqual([]);
  await guess(20);
  expect((await warnings()).map(({ subject }) => subject)).toEqual(["Mislukte inlogpogingen op uw account"]);
  expect((await warnings())[0]?.body).toContain(`${at.url}/password_reset`);
  for (let n = 0; n < 25; n++) await attempt("sam@widget.example", "wrong");
  expect((await signInAs("specialist")).status).toBe(429); // an unknown device and network
  expect((await own.signIn("specialist")).status).toBe(302);
  await own.api("DELETE", "/session");
  // The device has its own count, only for the owner.
  const mistake = async () => (await attempt("sam@widget.example", "wrong", own)).status;
  for (let n = 0; n < 5; n++) expect(await mistake()).toBe(422);
  expect(await mistake()).toBe(429);
  expect((await attempt("ada@widget.example", passwordFor("administrator"), own)).status).toBe(429); // not this person's device
  await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%'");
  await at.clock.pass(86_400);
  await guess(20);
  expect((await warnings()).length).toBe(2);
  await at.sql("DELETE FROM sign_in_delays");
  await at.sql("UPDATE people SET locale = NULL WHERE id = 3");
});

test("strangers can't lock owners out of a network from which they have signed in", async () => {
  await at.sql("DELETE FROM sign_in_delays");
  expect((await signInAs("specialist")).status).toBe(302);
  // Guesses from elsewhere block sign-ins from unknown places for an hour.
  await at.sql("INSERT INTO sign_in_delays VALUES ($1, 40, $2, $2::timestamptz + interval '1 hour')", [
    buildGuessKey(people.specialist.id).key,
    at.clock.now(),
  ]);
  expect((await signInAs("specialist")).status).toBe(302); // another device, the same network
  for (let n = 0; n < 5; n++) expect((await attempt("sam@widget.example", "wrong")).status).toBe(422);
  expect((await signInAs("specialist")).status).toBe(429); // the network has its own count
  await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'known%' OR key LIKE 'network%'");
  expect((await signInAs("specialist")).status).toBe(429); // an unknown place
  await at.sql("DELETE FROM sign_in_delays");
});

test("a device remembers several people, and a forged cookie none", async () => {
  const shared = new FormBrowser(at.url);
  for (const role of ["specialist", "administrator"] as const) {
    expect((await shared.signIn(role)).status).toBe(302);
    await shared.api("DELETE", "/session");
  }
  const remembered = shared.cookies.get("steward_device") as string;
  expect(remembered.split(".").length).toBe(4);
  for (let n = 0; n < 10; n++) {
    await attempt("sam@widget.example", "wrong");
    await attempt("ada@widget.example", "wrong");
    await at.sql("DELETE FROM sign_in_delays WHERE key LIKE 'address%'");
  }
  const forged = new FormBrowser(at.url);
  forged.cookies.set(
    "steward_device",
    remembered.replace(/^./, (letter) => (letter === "A" ? "B" : "A")),
  );
  expect((await forged.signIn("specialist")).status).toBe(429);
  for (const role of ["specialist", "administrator"] as const) {
    expect((await shared.signIn(role)).status).toBe(302);
    await shared.api("DELETE", "/session");
  }
  await at.sql("DELETE FROM sign_in_delays");
});

test("for an address in several accounts with equal passwords, the person chooses the account", async () => {
  await at.sql("UPDATE people SET primary_email = 'sam@widget.example' WHERE id = 8");
  const browser = new FormBrowser(at.url);
  expect((await browser.signIn("specialist")).status).toBe(302); // only one of them has this password
  await at.sql(
    "INSERT INTO passwords (person_id, account_id, hash, changed_at) SELECT 8, 'provider', hash, changed_at FROM passwords WHERE person_id = 3",
  );
  const other = new FormBrowser(at.url);
  const choice = await other.signIn("specialist");
  expect(choice.status).toBe(200);
  expect(choice.text).toContain("Widget IT");
  expect(choice.text).toContain("Provider Services");
  expect(other.cookies.has("steward_session")).toBe(false);
  const forged = readHiddenFields(choice, "/sign_in").get("choice")?.replace(/^./, "x") as string;
  expect((await other.submit(choice, "/sign_in", { account: "provider", choice: forged })).status).toBe(422);
  expect((await other.submit(choice, "/sign_in", { account: "stranger" })).status).toBe(422);
  expect((await other.submit(choice, "/sign_in", { account: "provider" })).status).toBe(302);
  expect((await other.api("GET", "/me")).body.person.name).toBe("Pat Provider");
  const late = await new FormBrowser(at.url).signIn("specialist");
  await at.clock.pass(301);
  expect((await other.submit(late, "/sign_in", { account: "provider" })).status).toBe(403);
});

test("the sign-in form has a token, too, so another site can't sign a person in", async () => {
  const browser = new FormBrowser(at.url);
  const page = await browser.get("/sign_in");
  const fields = { email: "sam@widget.example", password: passwordFor("specialist") };
  expect((await new FormBrowser(at.url).submit(page, "/sign_in", fields)).status).toBe(403); // without the cookie
  expect((await browser.submit(page, "/sign_in", { ...fields, csrf: "" })).status).toBe(403);
  expect((await browser.submit(page, "/sign_in", fields, { Origin: "https://evil.example" })).status).toBe(403);
  browser.cookies.set("steward_form", `forged.${"x".repeat(43)}`);
  expect((await browser.submit(page, "/sign_in", fields)).status).toBe(403);
});

test("passwords are stored as argon2id with the cost recommended by OWASP", async () => {
  const hash = await at.service.oauth.hasher.hash("correct horse battery staple");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await at.service.oauth.hasher.verify(hash, "correct horse battery staple")).toBe(true);
  expect(await at.service.oauth.hasher.verify(hash, "correct horse battery stapl")).toBe(false);
  expect(await at.service.oauth.hasher.verify(null, "anything")).toBe(false);
});
