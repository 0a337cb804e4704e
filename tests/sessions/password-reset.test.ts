import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { deliverMail } from "../../server/mail/mails.ts";
import { FormBrowser, setPasswords } from "../support/clients/form-browser.ts";
import { loadReceivedTexts } from "../support/mail/received-mails.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// Password resets by email.

const at = await world();
await setPasswords(at, "administrator", "specialist");

const requestReset = async (email: string) => {
  const browser = new FormBrowser(at.url);
  const page = await browser.submit(await browser.get("/password_reset"), "/password_reset", { email });
  await at.service.worker.runDue();
  // The service's own worker may already be running the job.
  await until(async () => (await at.sql("SELECT 1 FROM jobs WHERE kind = 'password-reset'")).length === 0);
  return page;
};
/** Emails with a reset link. Other emails warn of the password guesses in some tests. */
const loadEmails = () => loadReceivedTexts(at, "subject = 'Reset your password'");
/** The newest email to Sam: the worker sends emails to several people concurrently, in any order. */
const loadLastToSam = async () =>
  (await loadEmails()).filter(({ recipient }) => recipient === "sam@widget.example").at(-1);
const findLink = (body: string) => /\/password_reset\/[A-Za-z0-9]{112}/.exec(body)?.[0] as string;
const choosePassword = async (link: string, password: string) => {
  const browser = new FormBrowser(at.url);
  const page = await browser.get(link);
  return page.status === 200 ? browser.submit(page, "/password_reset/", { password }) : page;
};
const signIn = async (password: string) => {
  const browser = new FormBrowser(at.url);
  const page = await browser.get("/sign_in");
  return (await browser.submit(page, "/sign_in", { email: "sam@widget.example", password })).status;
};

test("a reset link is sent by email, works once, ends every session, and sets the new password", async () => {
  const before = new FormBrowser(at.url);
  await before.signIn("specialist");
  const page = await requestReset("SAM@widget.example");
  expect(page.status).toBe(200);
  const [mail] = await loadEmails();
  expect(mail?.recipient).toBe("sam@widget.example");
  const link = findLink(mail?.body as string);
  expect((await choosePassword(link, "short")).status).toBe(422);
  const changed = await choosePassword(link, "a much better one");
  expect(changed.location).toBe("/sign_in?done=password");
  expect((await before.get("/profile")).location).toContain("/sign_in");
  expect(await signIn("the secret of specialist")).toBe(422);
  expect(await signIn("a much better one")).toBe(302);
  expect((await choosePassword(link, "another one again")).status).toBe(404);
});

test("the response doesn't reveal whether the address exists, and unknown addresses get no email", async () => {
  const count = (await loadEmails()).length;
  const [known, unknown] = [await requestReset("ada@widget.example"), await requestReset("nobody@widget.example")];
  expect(known.text.replaceAll(/value="[^"]*"/g, "")).toBe(unknown.text.replaceAll(/value="[^"]*"/g, ""));
  expect((await loadEmails()).length).toBe(count + 1);
  expect(
    (
      await at.sql("SELECT 1 FROM password_resets WHERE secret_hash LIKE '%' || $1 || '%'", [
        findLink((await loadEmails()).at(-1)?.body as string).slice(-112),
      ])
    ).length,
  ).toBe(0);
});

test("a link is valid for one hour", async () => {
  await requestReset("sam@widget.example");
  const link = findLink((await loadLastToSam())?.body as string);
  await at.clock.pass(3599);
  expect((await new FormBrowser(at.url).get(link)).status).toBe(200);
  await at.clock.pass(1);
  expect((await choosePassword(link, "a password in time")).status).toBe(404);
});

test("of concurrent uses one succeeds, and a disabled person's link is invalid", async () => {
  await requestReset("sam@widget.example");
  const link = findLink((await loadLastToSam())?.body as string);
  const replies = await Promise.all([1, 2, 3, 4].map((number) => choosePassword(link, `password number ${number}`)));
  expect(replies.filter(({ status }) => status === 302).length).toBe(1);
  await at.sql("DELETE FROM sign_in_delays");
  await requestReset("sam@widget.example");
  const dead = findLink((await loadLastToSam())?.body as string);
  await at.as("administrator").patch("/people/3", { disabled: true });
  expect((await choosePassword(dead, "does not matter")).status).toBe(404);
  await at.as("administrator").patch("/people/3", { disabled: false });
});

test("repeated resets are slowed down", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await requestReset("mia@widget.example")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("one address can't request resets for many people; the owner still can, on a device that knows them", async () => {
  await at.sql("DELETE FROM sign_in_delays");
  const own = new FormBrowser(at.url);
  await own.signIn("administrator");
  await own.api("DELETE", "/session");
  const statuses: number[] = [];
  const texts = new Set<string>();
  for (let n = 0; n < 30; n++) {
    const page = await requestReset(n === 10 ? "ada@widget.example" : `person${n}@widget.example`);
    statuses.push(page.status);
    if (page.status === 200) texts.add(page.text.replaceAll(/value="[^"]*"/g, ""));
  }
  expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
  expect(texts.size).toBe(1);
  const page = await own.submit(await own.get("/password_reset"), "/password_reset", { email: "ada@widget.example" });
  expect([page.status, texts.has(page.text.replaceAll(/value="[^"]*"/g, ""))]).toEqual([200, true]);
  await at.sql("DELETE FROM sign_in_delays");
});

test("a reset ends the delay caused by another person's guesses", async () => {
  for (let i = 0; i < 5; i++) await signIn("wrong");
  expect(await signIn("wrong")).toBe(429);
  await at.sql("DELETE FROM sign_in_delays WHERE key NOT LIKE 'guesses%'");
  await requestReset("sam@widget.example");
  await choosePassword(findLink((await loadLastToSam())?.body as string), "back in business");
  expect(await signIn("back in business")).toBe(302);
});

test("without a mail server administrators read the emails, and no one else does", async () => {
  const { status, body } = await at.as("administrator").get("/mails");
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain("Reset your password");
  expect(JSON.stringify(body)).not.toMatch(/password_reset\/[A-Za-z0-9]{112}/); // the links are only for their owners
  expect((await at.as("manager").get("/mails")).status).toBe(403);
});

test("with a mail server the email is sent, and its text isn't kept", async () => {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.write("220 ready\r\n");
    let inData = false;
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().split("\r\n").slice(0, -1)) {
        heard.push(line);
        if (inData && line !== ".") continue;
        if (line.startsWith("EHLO")) socket.write("250-here\r\n250 AUTH PLAIN\r\n");
        else if (line.startsWith("AUTH")) socket.write("235 welcome\r\n");
        else if (line === "DATA") socket.write("354 go on\r\n");
        else if (line === "QUIT") socket.end("221 bye\r\n");
        else socket.write("250 fine\r\n");
        inData = line === "DATA";
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { url: `smtp://u:p@127.0.0.1:${port}`, from: "desk@widget.example" };
  const { id } = (await loadLastToSam()) as { id: number };
  await deliverMail(
    at.service.engine.database,
    at.clock,
    { settings, domain: "steward", secret: at.service.oauth.secret, leave: async () => null },
    { id },
  );
  server.close();
  expect(heard).toContain("RCPT TO:<sam@widget.example>");
  expect(heard).toContain("Auto-Submitted: auto-generated");
  expect(heard.join("\n").replaceAll("=\n", "")).toContain("/password_reset/");
  const [sent] = await at.sql("SELECT body, sent_at FROM mails WHERE id = $1", [id]);
  expect(sent).toMatchObject({ body: "", sent_at: expect.any(Date) });
});
