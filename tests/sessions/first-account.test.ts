import { expect, test } from "vitest";
import { buildSetupPath } from "../../server/oauth/first-account/setup-address.ts";
import { FormBrowser, type Page } from "../support/clients/form-browser.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// The first account of an empty instance is created in the browser, at a setup link that the server prints at startup
// (D-461).

const the = await world({ empty: true });
const path = buildSetupPath(the.service.oauth);

const filled = {
  account_name: "Acme & Söhne",
  time_zone: "Amsterdam",
  locale: "nl",
  currency: "eur",
  name: "Ada Quill",
  email: "ada@acme.example",
  password: "correct horse battery",
  password_again: "correct horse battery",
  days: ["mon", "tue", "wed"],
  from: "08:30",
  until: "17:00",
  sample: "yes",
};
const open = async (): Promise<{ browser: FormBrowser; page: Page }> => {
  const browser = new FormBrowser(the.url);
  return { browser, page: await browser.get(path) };
};
const countAccounts = async () => (await the.sql("SELECT id FROM accounts")).length;

test("a wrong, modified or expired link shows nothing", async () => {
  const { browser } = await open();
  const [expiresAt = "", nonce = "", signature = ""] = path.replace("/setup/", "").split(".");
  for (const wrong of [
    ...["x", `${Number(expiresAt) + 1}.${nonce}.${signature}`, `${expiresAt}.${nonce}.x`],
    ...[`${expiresAt}.${nonce}.${signature}.x`, `${expiresAt}.${nonce}x.${signature}`, "%00", "a".repeat(3000)],
  ])
    expect((await browser.get(`/setup/${wrong}`)).status, wrong).toBeGreaterThanOrEqual(400);
  const now = the.clock.now().toISOString();
  await the.clock.pass(24 * 3600 + 1);
  expect((await browser.get(path)).status).toBe(404);
  await the.clock.moveTo(now);
});

test("invalid entries are rejected at their field, and nothing is created", async () => {
  const { browser, page } = await open();
  expect(page.status).toBe(200);
  expect(page.text).toContain("Set up Steward");
  const wrong: [field: string, value: string | string[], message: RegExp][] = [
    ["account_name", "", /Name can't be blank/],
    ["account_name", "x".repeat(200), /id="account_name-error"/],
    ["account_id", "Two Words", /Short name must be lower-case/],
    ["time_zone", "Mars", /id="time_zone-error"/],
    ["locale", "<script>", /id="locale-error"/],
    ["currency", "gold", /id="currency-error"/],
    ["name", "\u0000", /Your name/],
    ["email", "no address", /id="email-error"/],
    ["password", "short", /Password is too short/],
    ["password_again", "another one", /Confirm password doesn(&#39;|')t match/],
    ["days", [], /Days can&#39;t be blank|Days can't be blank/],
    ["from", "25:99", /From must be a time/],
    ["until", "08:00", /To must be later/],
  ];
  for (const [field, value, message] of wrong) {
    const answer = await browser.submit(page, "/setup/", { ...filled, [field]: value });
    expect(answer.status, field).toBe(422);
    expect(answer.text.replaceAll("&#39;", "'"), field).toMatch(message);
    expect(answer.text).not.toContain("<script>");
    expect(answer.text).not.toContain(filled.password);
  }
  expect(await countAccounts()).toBe(0);
  const foreign = await browser.submit(page, "/setup/", { ...filled, csrf: "x" });
  expect(foreign.status).toBe(403);
});

test("two people who submit the form concurrently create one account", async () => {
  const visits = await Promise.all([open(), open(), open()]);
  const answers = await Promise.all(
    visits.map(({ browser, page }, at) =>
      browser.submit(page, "/setup/", { ...filled, account_name: `Acme ${at}`, email: `ada${at}@acme.example` }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 404, 404]);
  expect(await countAccounts()).toBe(1);
  const at = answers.findIndex(({ status }) => status === 302);
  const { browser } = visits[at] as (typeof visits)[0];
  expect(answers[at]?.location).toBe(`/a/acme-${at}/settings`);
  // The person is signed in immediately, with the account's language and time zone.
  const { body: me } = await browser.api("GET", "/me");
  expect(me).toMatchObject({
    person: { name: "Ada Quill", account: `acme-${at}`, locale: "nl", time_zone: "Amsterdam" },
    accounts: [{ id: `acme-${at}`, name: `Acme ${at}`, roles: ["account_administrator"] }],
  });
  expect((await browser.get(path)).status).toBe(404);
  const [calendar] = await the.sql("SELECT name FROM calendars");
  expect(calendar).toEqual({ name: "Working hours" });
  const hours = await the.sql("SELECT weekday, time_from::text, time_until::text FROM calendar_hours ORDER BY id");
  expect(hours.map(({ weekday }) => weekday)).toEqual(["mon", "tue", "wed"]);
  const [owner] = await the.sql("SELECT owner_id FROM accounts");
  expect(owner).toEqual({ owner_id: me.person.id });
  const events = await the.sql("SELECT event FROM security_events ORDER BY id");
  expect(events.map(({ event }) => event)).toContain("account-created");
  // The password works on the sign-in page, too.
  const again = new FormBrowser(the.url);
  const form = await again.get("/sign_in");
  const signedIn = await again.submit(form, "/sign_in", { email: `ada${at}@acme.example`, password: filled.password });
  expect(signedIn.status).toBe(302);
  // The example requests exist in the account's language, and can be removed.
  const api = the.withToken(me.access_token, { account: `acme-${at}` });
  const { body: sample } = await api.get("/sample_work");
  expect(sample).toEqual({ counts: [{ type: "request", count: 5 }], removing: false });
  const requests = await the.sql("SELECT subject, status FROM requests ORDER BY id");
  expect(requests[0]).toEqual({ subject: "Wifi valt weg in de vergaderkamers", status: "assigned" });
  expect((await api.delete("/sample_work?name=Acme")).status).toBe(422);
  expect((await api.delete(`/sample_work?name=Acme%20${at}`)).status).toBe(202);
  await until(async () => {
    await the.clock.pass(1);
    return (await the.sql("SELECT 1 FROM requests")).length === 0;
  });
});
