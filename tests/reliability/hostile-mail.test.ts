import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { buildMessage, deskAddress, mailSender } from "../support/mail/mail-sender.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

// Hostile email: it gets a clear response within limits, and the server keeps working.

const the = await world({ env: { MAIL_PORT: "0", MAIL_PER_HOUR: "5" } });
const { as, sql, clock } = the;
const { hand, send, handled, newest, port } = mailSender(the);
const admin = as("administrator");
const head = ["From: rita@widget.example", `To: ${deskAddress}`, "Subject: Hostile"];

/** Sends the bytes and waits until they are handled; other calls must succeed in the meantime. */
async function sendRaw(raw: string | Buffer) {
  await hand({ raw, envelope: { from: "rita@widget.example", to: deskAddress } });
  const [answer] = await Promise.all([admin.get("/me"), handled()]);
  expect(answer.status).toBe(200);
  return newest();
}

type SmtpClient = {
  say(text: string): void;
  hear(pattern: RegExp): Promise<string>;
  closed(): Promise<void>;
  socket: Socket;
};

/** An SMTP client without any checks of its own. */
async function connectClient(): Promise<SmtpClient> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("error", () => {});
  socket.on("data", (part) => {
    received += part;
  });
  const hear = async (pattern: RegExp): Promise<string> => {
    await until(() => pattern.test(received) || socket.destroyed, {
      what: () => `an answer after: ${received}`,
      every: 2,
    });
    if (!pattern.test(received)) throw new Error(`the connection ended: ${received}`);
    const said = received;
    received = "";
    return said;
  };
  await hear(/^220 [^\n]*\n/);
  return { socket, hear, say: (text) => void socket.write(`${text}\r\n`), closed: () => until(() => socket.destroyed) };
}

/** Says everything up to the recipient. */
async function startMail(from: string): Promise<SmtpClient> {
  const client = await connectClient();
  for (const line of ["EHLO client.example", `MAIL FROM:<${from}>`]) {
    client.say(line);
    await client.hear(/^250 [^\n]*\n/m);
  }
  return client;
}

test("ten thousand nested parts aren't read, and the sender is notified", async () => {
  const parts = Array.from(
    { length: 10_000 },
    (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n`,
  );
  const mail = await sendRaw(buildMessage(...head, "Content-Type: multipart/mixed; boundary=b0", "", ...parts));
  expect(mail).toMatchObject({ outcome: "unreadable", reason: "its parts are nested too deeply", raw: null });
  const [notice] = await sql(
    "SELECT recipient, subject, body FROM mails WHERE message_id IS NULL ORDER BY id DESC LIMIT 1",
  );
  expect(notice).toEqual({
    recipient: "rita@widget.example",
    subject: "Niet bezorgd: Hostile",
    body: expect.stringContaining("De e-mail kon niet worden gelezen"),
  });
});

test("fifty thousand attachments aren't read", async () => {
  const part = "--q\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n";
  const mail = await sendRaw(
    buildMessage(...head, "Content-Type: multipart/mixed; boundary=q", "", `${part.repeat(50_000)}--q--`),
  );
  expect(mail).toMatchObject({ outcome: "unreadable", reason: "its headers are too large" });
});

test("an email of 30 MB is refused, whether or not it announces its size", async () => {
  await expect(hand({ subject: "Large", text: "x".repeat(30_000_000) })).rejects.toThrow(/552/);
  const { say, hear, socket } = await startMail("rita@widget.example");
  say(`RCPT TO:<${deskAddress}>`);
  await hear(/^250 /m);
  say("DATA");
  await hear(/^354 /m);
  for (let at = 0; at < 30; at++) socket.write(`${"x".repeat(998)}\r\n`.repeat(1049));
  say(".");
  expect(await hear(/^\d{3} /m)).toMatch(/^552 /);
  say("QUIT");
  await hear(/^221 /m);
});

test("a client that keeps sending rejected data is disconnected", async () => {
  const { say, hear, socket } = await startMail("rita@widget.example");
  say(`RCPT TO:<${deskAddress}>`);
  await hear(/^250 /m);
  say("DATA");
  await hear(/^354 /m);
  const block = `${"x".repeat(998)}\r\n`.repeat(1049);
  let sent = 0;
  for (; sent < 300 && !socket.destroyed; sent++) {
    socket.write(block);
    while (socket.writableLength > block.length && !socket.destroyed) await pause(1);
  }
  expect(socket.destroyed).toBe(true);
  expect(sent).toBeLessThan(100);
});

test("memory for simultaneous large emails is bounded: late clients get a temporary error, and nothing is lost", async () => {
  const block = `${"x".repeat(998)}\r\n`.repeat(1049);
  const clients = await Promise.all([1, 2, 3].map(() => startMail("rita@widget.example")));
  for (const { say, hear, socket } of clients) {
    say(`RCPT TO:<${deskAddress}>`);
    await hear(/^250 /m);
    say("DATA");
    await hear(/^354 /m);
    say(`${head.join("\r\n")}\r\n`);
    for (let n = 0; n < 20; n++) socket.write(block);
  }
  const late = await connectClient();
  late.say("EHLO client.example");
  await late.hear(/^250 [^\n]*\n/m);
  let answer = "";
  await until(async () => {
    late.say(`MAIL FROM:<rita@widget.example> SIZE=20000000`);
    answer = await late.hear(/^\d{3} /m);
    late.say("RSET");
    await late.hear(/^250 /m);
    return answer.startsWith("451");
  });
  late.say("MAIL FROM:<rita@widget.example> SIZE=2000"); // a small email is accepted in the meantime
  expect(await late.hear(/^\d{3} /m)).toMatch(/^250 /);
  late.say("QUIT");
  for (const { say, hear } of clients) {
    say(".");
    expect(await hear(/^\d{3} /m)).toMatch(/^250 /);
    say("QUIT");
    await hear(/^221 /m);
  }
  await handled();
  expect((await hand({ subject: "After", text: "x" })).response).toMatch(/^250 /);
  await handled();
});

test("a large email arrives unchanged", async () => {
  await clock.pass(3601);
  const content = Buffer.alloc(3_000_001, "steward");
  const mail = await send({ subject: "Large", text: "See below", attachments: [{ filename: "a.bin", content }] });
  expect(mail.outcome).toBe("request");
  const [note] = (await admin.get(`/requests/${mail.record_id}/notes`)).body;
  const file = Buffer.from(await (await fetch(note.attachments[0].uri)).arrayBuffer());
  expect(file.equals(content)).toBe(true);
});

test("a header of 1 MB is refused", async () => {
  await expect(
    sendRaw(buildMessage(...head, `X-Long: ${"x".repeat(990)}`, ...Array(1100).fill(` ${"y".repeat(990)}`), "", "x")),
  ).rejects.toThrow(/552 .*header/);
});

test("a hundred thousand nested elements are read like any other text", async () => {
  const html = `${"<div>".repeat(100_000)}Deep${"</div>".repeat(100_000)}`.replace(/(.{900})/g, "$1\r\n");
  const mail = await sendRaw(buildMessage(...head, "Content-Type: text/html", "", html));
  expect(mail).toMatchObject({ outcome: "request" });
  expect((await admin.get(`/requests/${mail.record_id}/notes`)).body[0].text).toBe("Deep");
});

test("broken character sets, broken base64, control characters and missing parts are read as far as possible", async () => {
  const broken = Buffer.concat([
    Buffer.from(
      buildMessage(
        ...head.slice(0, 2),
        "Subject: =?klingon?B?!!!?= \u0000 x",
        "Content-Type: text/plain; charset=klingon",
        "Content-Transfer-Encoding: base64",
        "",
        "%%%=not base64==",
      ),
    ),
    Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 13, 10]),
  ]);
  expect(await sendRaw(broken)).toMatchObject({ outcome: "request" });
  await clock.pass(3601);
  expect(await sendRaw(buildMessage(...head, "Content-Type: multipart/mixed", "", "no boundary"))).toMatchObject({
    outcome: "request",
  });
  expect(
    await sendRaw(buildMessage(...head, "Content-Type: multipart/alternative; boundary=x", "", "--x")),
  ).toMatchObject({
    state: "done",
  });
  expect(
    await sendRaw(
      buildMessage(...head, 'Content-Type: text/plain; charset="utf-7\u0001"', "", "\u0000\u001b[31m zero"),
    ),
  ).toMatchObject({ state: "done" });
  expect(await sendRaw("\r\n")).toMatchObject({ outcome: "ignored", reason: "no sender" });
  expect(await sendRaw("From: a@b.example\r\nFrom: rita@widget.example\r\n\r\nTwo of us")).toMatchObject({
    outcome: "ignored",
  });
  expect(await sendRaw("From: a@b.example, rita@widget.example\r\n\r\nTwo of us")).toMatchObject({
    outcome: "ignored",
  });
});

test("an email whose connection breaks isn't received", async () => {
  await clock.pass(3601);
  const { id: before } = await send({ subject: "Whole" });
  const { say, hear, socket } = await startMail("rita@widget.example");
  say(`RCPT TO:<${deskAddress}>`);
  await hear(/^250 /m);
  say("DATA");
  await hear(/^354 /m);
  for (const line of [...head, "", "Half of it"]) say(line);
  socket.destroy();
  await send({ subject: "Another" });
  const rows = await sql("SELECT subject FROM received_mails WHERE id > $1", [before]);
  expect(rows).toEqual([{ subject: "Another" }]);
});

test("very long addresses and names are refused or truncated, without further effect", async () => {
  await clock.pass(3601);
  await sql(
    `INSERT INTO email_policies (account_id, settings, updated_at) VALUES ('widget-it', '{"create_people": true}', now())`,
  );
  const long = `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.example`;
  expect(await send({ from: long, subject: "Long" })).toMatchObject({
    outcome: "rejected",
    reason: "unknown sender",
  });
  const unheard = `${"a".repeat(3000)}@x.example`;
  await expect(hand({ envelope: { from: unheard, to: deskAddress } })).rejects.toThrow(/50\d/);
  expect(await sendRaw(buildMessage(`From: ${unheard}`, "Subject: Longer", "", "x"))).toMatchObject({
    outcome: "ignored",
    reason: "no sender",
  });
  const named = await send({ from: `"${"N".repeat(5000)}" <nina@outside.example>`, subject: "Name" });
  expect(named).toMatchObject({ outcome: "request" });
  const [person] = await sql<{ name: string }>("SELECT name FROM people WHERE primary_email = 'nina@outside.example'");
  expect(person?.name).toBe("N".repeat(128));
});

test("the same message sent five times in parallel is one request, and five messages of a new sender create one person", async () => {
  await clock.pass(3601);
  const { id: before } = await newest();
  const same = { subject: "Same", text: "Same", messageId: "<same@widget.example>", from: "mia@widget.example" };
  await Promise.all(Array.from({ length: 5 }, () => hand(same)));
  const olga = (at: number) => ({ from: "olga@outside.example", subject: `New ${at}`, text: "Hello" });
  await Promise.all(Array.from({ length: 5 }, (_, at) => hand(olga(at))));
  await handled();
  const rows = await sql(
    "SELECT sender, outcome, reason, count(*)::integer AS n FROM received_mails WHERE id > $1 GROUP BY 1, 2, 3 ORDER BY 1, 2",
    [before],
  );
  expect(rows).toEqual([
    { sender: "mia@widget.example", outcome: "ignored", reason: "already processed", n: 4 },
    { sender: "mia@widget.example", outcome: "request", reason: null, n: 1 },
    { sender: "olga@outside.example", outcome: "request", reason: null, n: 5 },
  ]);
  expect(await sql("SELECT 1 FROM people WHERE primary_email = 'olga@outside.example'")).toHaveLength(1);
  await sql("DELETE FROM email_policies");
});

test("two programs that reply to each other without marking their emails as automatic are stopped", async () => {
  await clock.pass(3601);
  const made = await send({ from: "kim@widget.example", subject: "Ping", text: "Ping" });
  const outcomes: string[] = [];
  for (let at = 0; at < 6; at++) {
    const answer = { subject: "Re: Ping", inReplyTo: made.messageId, text: `Pong ${at}` };
    outcomes.push((await send({ from: "kim@widget.example", ...answer })).outcome);
  }
  expect(outcomes).toEqual(["note", "note", "note", "note", "rejected", "rejected"]);
  const notices = await sql(
    "SELECT 1 FROM mails WHERE recipient = 'kim@widget.example' AND subject LIKE 'Not delivered%'",
  );
  expect(notices).toHaveLength(1);
});

test("a limited number of emails per sender and hour becomes requests", async () => {
  await clock.pass(3601);
  for (let at = 0; at < 5; at++) expect(await send({ subject: `Number ${at}` })).toMatchObject({ outcome: "request" });
  expect(await send({ subject: "One more" })).toMatchObject({
    outcome: "rejected",
    reason: "Too many emails were sent within one hour",
  });
  expect(await send({ from: "kim@widget.example", subject: "Another sender" })).toMatchObject({ outcome: "request" });
  await clock.pass(3601);
  expect(await send({ subject: "An hour later" })).toMatchObject({ outcome: "request" });
});

test("recipients, guesses, commands and connections are limited", async () => {
  const recipients = Array.from({ length: 120 }, (_, at) => `widget-it@domain${at}.example`);
  const client = await startMail("rita@widget.example");
  const answers: string[] = [];
  for (const recipient of recipients) {
    client.say(`RCPT TO:<${recipient}>`);
    answers.push((await client.hear(/^\d{3} [^\n]*\n/m)).slice(0, 3));
  }
  expect(answers.filter((code) => code === "250")).toHaveLength(100);
  expect(answers.at(-1)).toBe("452");
  client.socket.destroy();

  const guesser = await startMail("");
  let said = "";
  for (let at = 0; at < 11; at++) {
    guesser.say(`RCPT TO:<guess${at}@x.example>`);
    said = await guesser.hear(/^\d{3} [^\n]*\n/m);
  }
  expect(said).toMatch(/^421 /);

  const chatterer = await connectClient();
  for (let at = 0; at < 1100; at++) chatterer.say("NOOP");
  await chatterer.closed();

  const many = await Promise.all(Array.from({ length: 10 }, connectClient));
  const late = connect(port, "127.0.0.1");
  const [answer] = await once(late.setEncoding("utf8"), "data");
  expect(answer).toMatch(/^421 /);
  for (const { socket } of many) socket.destroy();
  late.destroy();
});

test("the server neither asks for a password nor accepts one", async () => {
  const { say, hear, socket } = await connectClient();
  say("EHLO client.example");
  const offered = await hear(/^250 /m);
  expect(offered).not.toMatch(/AUTH|STARTTLS/);
  say("AUTH PLAIN AHVzZXIAc2VjcmV0");
  await hear(/^50\d /m);
  socket.destroy();
});
