import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../tools/build-web.ts";
import { expectAccessible, startBrowser } from "../support/clients/chromium.ts";
import { passwordFor, setPasswords } from "../support/clients/form-browser.ts";
import { visit } from "../support/clients/signed-in-page.ts";
import { mailSender } from "../support/mail/mail-sender.ts";
import { startMailServer } from "../support/mail/mail-server.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// What administrators see of an account: mail that came in and what is to be done with it, the security trail, jobs that
// failed too often.

const mailServer = await startMailServer();
const the = await world({ env: { MAIL_PORT: "0", SMTP_URL: mailServer.url, MAIL_FROM: "desk@widget.example" } });
const { send } = mailSender(the);

describe("the pages of administrators", () => {
  let browser: Chromium;
  let page: Page;
  beforeAll(async () => {
    await buildWeb(() => {});
    browser = await startBrowser();
    page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
    await setPasswords(the, "administrator");
  });
  afterAll(() => browser?.close());

  test("administrators see what became of each mail, and set the policy", async () => {
    const mail = await send({ subject: "The printer is on fire" });
    await send({ from: "ann@outside.example", subject: "Hello?" });
    await page.goto(`${the.url}/sign_in?return_to=/a/widget-it/settings/received-mails`);
    await page.getByLabel("E-mail address").fill(people.administrator.email);
    await page.getByLabel("Password").fill(passwordFor("administrator"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: `New request ${mail.record_id}` }).waitFor();
    await page.getByText("the sender is not known").waitFor();
    await expectAccessible(page);
    const examples = page.getByRole("region", { name: "What happens then" });
    await examples.getByText("Somebody unknown writes: the mail is refused with a reason.").waitFor();
    await page.getByLabel("Create unknown senders as people").check();
    await examples.getByText("Somebody unknown writes: a person is created with this address").waitFor();
    await page.getByLabel("Allow #from and X-Xurrent-From").check();
    await page.getByLabel("Secret of X-Xurrent-Auth").fill("a long enough secret");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The policy was saved.").waitFor();
    await expectAccessible(page);
    const [row] = await the.sql("SELECT settings, secret_hash FROM email_policies WHERE account_id = 'widget-it'");
    expect(row).toMatchObject({ settings: { create_people: true, allow_from: true }, secret_hash: expect.any(String) });
  });

  test("a failed mail is sent again, and the page tells when it has left", async () => {
    mailServer.refusal = (address) => (address.startsWith("rita@") ? { code: 550, text: "The mailbox is full" } : null);
    const asked = { subject: "A full mailbox", category: "incident", requested_by_id: people.requester.id };
    expect((await the.as("administrator").post("/requests", asked)).status).toBe(201);
    await until(async () => (await the.as("administrator").get("/mails?state=failed")).body.length === 1);
    mailServer.refusal = () => null;
    await visit(page, `${the.url}/a/widget-it/settings/mails`);
    const failed = page.getByRole("button", { name: /A full mailbox.*Failed/ });
    await failed.press("Enter");
    await page.getByText(/The mailbox is full/).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send again" }).press("Enter");
    await page.getByText("The mail is sent again").waitFor();
    await page.getByRole("button", { name: /A full mailbox.*Sent/ }).waitFor();
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
    const toRita = mailServer.received.filter(({ to, subject }) => to.startsWith("rita@") && subject.includes("full"));
    expect(toRita).toHaveLength(1);
  });

  test("jobs that failed too often are run again or deleted", async () => {
    await the.service.worker.stop(); // nothing but this test touches the jobs
    const add = (kind: string) =>
      the.sql(
        "INSERT INTO jobs (account_id, kind, payload, run_at, attempts, dead_at, last_error) VALUES ('widget-it', $1, '{}', $2, 180, $2, 'the disk is full')",
        [kind, the.clock.now()],
      );
    await add("timer");
    await add("a kind that nobody knows");
    await visit(page, `${the.url}/a/widget-it/settings/failed-jobs`);
    const rows = page.getByRole("table", { name: "Failed jobs" }).getByRole("row");
    await page.getByRole("cell", { name: "Change at a point in time", exact: true }).waitFor();
    expect(await rows.count()).toBe(3);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Retry: Change at a point in time" }).click();
    await page.getByText("The job runs again").waitFor();
    await page.getByRole("button", { name: "Delete: Other work in the background" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No job has failed").waitFor();
    expect(await the.sql("SELECT kind, dead_at FROM jobs WHERE kind IN ('timer', 'a kind that nobody knows')")).toEqual(
      [{ kind: "timer", dead_at: null }],
    );
  });

  test("the security trail names who did what", async () => {
    await visit(page, `${the.url}/a/widget-it/settings/trail`);
    await page.getByRole("cell", { name: "E-mail policy changed", exact: true }).first().waitFor();
    await page.getByRole("cell", { name: "E-mail sent again", exact: true }).first().waitFor();
    await page.getByRole("cell", { name: "Signed in", exact: true }).first().waitFor();
  });
});
