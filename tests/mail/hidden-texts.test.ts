import { expect, test } from "vitest";
import { FormBrowser } from "../support/clients/form-browser.ts";
import { startMailServer } from "../support/mail/mail-server.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// D-782: links that work without a session are only for their recipients. Administrators see emails without them,
// before and after they are sent.

const server = await startMailServer();
const here = await world({ env: { SMTP_URL: server.url, MAIL_FROM: "desk@widget.example", NOTICES_PER_HOUR: "1" } });
const { as, sql, service } = here;
const admin = as("administrator");
await sql("UPDATE people SET locale = 'en-US'");

const resetLink = /\/password_reset\/[A-Za-z0-9]{112}/;
const decisionLink = /\/approvals\/\d+\/\d+\/approved\/[0-9a-f]{40}/;

const loadStoredTexts = async (): Promise<string> =>
  JSON.stringify([(await admin.get("/mails?per_page=100")).body, await sql("SELECT * FROM mails")]);
async function deliverAll(): Promise<void> {
  await until(async () => {
    await service.worker.runDue();
    await service.notificationDispatcher.runDue();
    await service.mailWorker.runDue();
    return (
      (
        await sql(
          "SELECT 1 FROM jobs WHERE kind IN ('mail', 'password-reset') UNION ALL SELECT 1 FROM notification_outbox",
        )
      ).length === 0
    );
  });
}
async function requestPasswordReset(email: string): Promise<void> {
  const browser = new FormBrowser(here.url);
  await browser.submit(await browser.get("/password_reset"), "/password_reset", { email });
  await deliverAll();
}

test("a password reset link reaches only its owner, also when the email is sent again", async () => {
  server.refusal = () => ({ code: 550, text: "mailbox unavailable" });
  await requestPasswordReset("sam@widget.example");
  const [mail] = (await admin.get("/mails")).body;
  expect(mail).toMatchObject({ subject: "Reset your password", state: "failed" });
  expect(mail.body).toMatch(/\/password_reset\/\[hidden-[0-9a-f]+\]/);
  expect(await loadStoredTexts()).not.toMatch(resetLink);
  server.refusal = () => null;
  expect((await admin.post(`/mails/${mail.id}/send_again`)).status).toBe(204);
  await deliverAll();
  const link = resetLink.exec(server.received.at(-1)?.text ?? "")?.[0] as string;
  expect((await new FormBrowser(here.url).get(link)).status).toBe(200);
  expect(await loadStoredTexts()).not.toMatch(resetLink);
  expect(await sql("SELECT 1 FROM mails WHERE sealed_texts IS NOT NULL")).toEqual([]);
});

test("approval links reach only the approver, alone and in a digest, and a placeholder in a subject inserts none", async () => {
  server.received.length = 0;
  const make = workflowHelpers(admin);
  for (const subject of ["First [hidden-1]", "Second", "Third"]) {
    const workflow = await make.workflow();
    const task = await make.task(workflow, { category: "approval", subject });
    await admin.post(`/tasks/${task.id}/approvals`, { approver_id: 5 });
    expect((await admin.patch(`/tasks/${task.id}`, { status: "assigned" })).status).toBe(200);
    await deliverAll();
  }
  expect(await loadStoredTexts()).not.toMatch(decisionLink);
  await here.clock.pass(3600);
  await deliverAll();
  const toRita = server.received.filter(({ to }) => to === "rita@widget.example");
  const links = toRita.flatMap(({ text }) => text.match(new RegExp(decisionLink, "g")) ?? []);
  expect(new Set(links).size).toBe(3);
  for (const link of new Set(links)) expect((await fetch(here.url + link)).status).toBe(200);
  expect(await loadStoredTexts()).not.toMatch(decisionLink);
});
