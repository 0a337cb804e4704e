import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { buildMessage, deskAddress } from "../support/mail/mail-sender.ts";
import { runCommand, runCommandHere } from "../support/processes/command-line.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { atScale } from "../support/scale.ts";
import { longestTest, until } from "../support/waiting.ts";

// An acknowledged email is never lost and never handled twice, whenever the process dies.

const { start, sql, env } = await serverProcesses({ MAIL_PORT: "0" });

const query = async <T extends object>(text: string): Promise<T[]> => (await sql.query<T>(text)).rows;
const countWaiting = async () => (await query("SELECT 1 FROM received_mails WHERE state = 'waiting'")).length;

const waitUntilHandled = () => until(async () => (await countWaiting()) === 0, { longest: longestTest });

/** Returns whether the server acknowledged the email. */
async function sendMail(port: number, number: number): Promise<boolean> {
  const client = createTransport({ host: "127.0.0.1", port, ignoreTLS: true } as object);
  try {
    await client.sendMail({
      from: "rita@widget.example",
      to: deskAddress,
      subject: `Mail ${number}`,
      text: `Text ${number}`,
      messageId: `<${number}@kill.example>`,
      attachments: [{ filename: "file.txt", content: `${number}` }],
    });
    return true;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

test("the command stores an email, and the server handles it once it runs", async () => {
  const message = buildMessage(
    "From: rita@widget.example",
    `To: Desk <${deskAddress}>, other@elsewhere.example`,
    "Message-ID: <command@x>",
    "Subject: By command",
    "",
    "Hello",
  );
  const { code, out, err } = await runCommand(["mail"], env, message);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^\d+\n$/);
  expect(await query("SELECT state, envelope_from, recipients FROM received_mails")).toEqual([
    { state: "waiting", envelope_from: "rita@widget.example", recipients: [deskAddress] },
  ]);
  const server = await start();
  await waitUntilHandled();
  await server.kill();
  expect(await query(`SELECT subject, source, "sourceID" FROM requests`)).toEqual([
    { subject: "By command", source: "Email", sourceID: "<command@x>" },
  ]);
});

test("the command refuses an invalid email with the reason", async () => {
  const message = buildMessage("From: rita@widget.example", "To: nobody@elsewhere.example", "", "Hello");
  const refused = await runCommandHere(["mail"], env, message);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("No account or team uses any of these addresses: nobody@elsewhere.example.");
  expect((await runCommandHere(["mail", "--to", "widget@x.example"], env, message)).code).toBe(1);
  expect((await runCommandHere(["mail"], env, "")).err).toContain("No email on standard input.");
  const large = await runCommandHere(["mail"], { ...env, MAIL_SIZE: "1" }, Buffer.alloc(1_100_000, "x"));
  expect(large).toMatchObject({ code: 1 });
  expect(large.err).toContain("MAIL_SIZE");
  const header = await runCommandHere(
    ["mail"],
    env,
    buildMessage(...Array(3000).fill(`X-A: ${"x".repeat(100)}`), "", "x"),
  );
  expect(header.err).toContain("The email can't be accepted");
  expect((await runCommandHere(["mail", "--to", deskAddress, "--from", "<>"], env, message)).code).toBe(0);
  const { out } = await runCommandHere(["mail", "--help"], env);
  expect(out).toContain("mail < message.eml");
});

test("kill -9 between receipt and handling neither loses nor repeats an email", async () => {
  const rounds = atScale(3, 5);
  const each = 4;
  const acknowledged = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const server = await start();
    const numbers = Array.from({ length: each }, (_, at) => round * each + at);
    const handing = Promise.all(
      numbers.map(async (number) => {
        if (await sendMail(server.mailPort, number)) acknowledged.add(number);
      }),
    );
    await pause(40 * round);
    if (round % 2 === 0) await handing;
    await server.kill();
    await handing;
  }
  assert.ok(acknowledged.size > each, `only ${acknowledged.size} were acknowledged`);
  const server = await start();
  // The client sends unacknowledged emails again.
  for (let number = 0; number < rounds * each; number++)
    if (!acknowledged.has(number)) assert.ok(await sendMail(server.mailPort, number));
  await waitUntilHandled();
  await server.kill();
  const made = await query<{ subject: string; notes: string; files: string }>(
    `SELECT r.subject, count(DISTINCT n.id) AS notes, count(DISTINCT f.id) AS files FROM requests r
LEFT JOIN notes n ON n.request_id = r.id LEFT JOIN attachments f ON f.record_type = 'note' AND f.record_id = n.id
WHERE r.subject LIKE 'Mail %' GROUP BY r.id, r.subject ORDER BY r.id`,
  );
  expect(made.map(({ subject }) => subject).sort()).toEqual(
    Array.from({ length: rounds * each }, (_, number) => `Mail ${number}`).sort(),
  );
  for (const one of made) expect(one).toMatchObject({ notes: "1", files: "1" });
  const lines = await query(
    "SELECT 1 FROM audit_lines WHERE audited = 'request' AND action = 'create' AND record_id IN (SELECT id FROM requests WHERE subject LIKE 'Mail %')",
  );
  expect(lines).toHaveLength(rounds * each);
});
