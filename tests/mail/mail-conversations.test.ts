import { beforeEach, expect, test } from "vitest";
import { mailSender } from "../support/mail/mail-sender.ts";
import type { DeliveredMail } from "../support/mail/mail-server.ts";
import { notificationWorld } from "../support/mail/notification-world.ts";
import { requestHelpers } from "../support/records/requests.ts";

// Replies to sent emails find their record, and no email loops occur.

const { here: the, server, delivered } = await notificationWorld({ MAIL_PORT: "0" });
const { as, sql, clock } = the;
const { admin, request, team } = requestHelpers(the);
const { send } = mailSender(the);
const [sam, rita] = [3, 5];
const desk = await team(sam);

const findEmailTo = async (name: string, subject: RegExp): Promise<DeliveredMail> => {
  const found = (await delivered()).findLast((mail) => mail.to.startsWith(name) && subject.test(mail.subject));
  if (found === undefined) throw new Error(`no mail to ${name}: ${server.received.map((mail) => mail.subject)}`);
  return found;
};
/** Replies as mail programs do: to Reply-To, above the quoted text. */
const reply = (mail: DeliveredMail, text: string, more: object = {}) =>
  send({
    from: mail.to,
    to: mail.headers.get("reply-to") ?? "",
    subject: `Re: ${mail.subject}`,
    inReplyTo: mail.headers.get("message-id") ?? "",
    references: [mail.headers.get("references") ?? "", mail.headers.get("message-id") ?? ""],
    text: `${text}\n\nOn Mon, 3 Mar 2025 at 09:00, Widget IT <desk@widget.example> wrote:\n${mail.text.replace(/^/gm, "> ")}`,
    ...more,
  });
const loadNotes = async (id: number) =>
  (await admin.get(`/requests/${id}/notes`)).body.map(
    ({ text, internal, person }: { text: string; internal: boolean; person: { id: number } }) => ({
      text,
      internal,
      person: person.id,
    }),
  );

beforeEach(async () => {
  await clock.pass(3601);
  server.received.length = 0;
});

test("a reply to a notification becomes a note on its record, and notifies everyone but its author", async () => {
  const { id, path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam, subject: "A mouse" });
  await as("specialist").post(`${path}/notes`, { text: "Which colour?" });
  const asked = await findEmailTo("rita", /new note/);
  server.received.length = 0;
  expect(await reply(asked, "Red, please.")).toMatchObject({ outcome: "note", record_id: id });
  expect((await loadNotes(id)).at(-1)).toEqual({ text: "Red, please.", internal: false, person: rita });
  expect((await delivered()).map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    `sam@widget.example: Request ${id}: new note – A mouse`,
  ]);
  // All emails about a record have the same thread id, so a reply to any of them matches.
  const thread = { inReplyTo: asked.headers.get("references") ?? "", references: [] };
  expect(await reply(asked, "Or blue.", { ...thread, subject: "Colours" })).toMatchObject({ record_id: id });
});

test("a reply to an internal note is internal, and is never sent to the requester", async () => {
  const { id, path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
  await admin.post(`${path}/notes`, { text: "She asks every week.", internal: true });
  const email = await findEmailTo("sam", /new note/);
  expect(email.headers.get("message-id")).toMatch(/\.internal-[0-9a-f]{16}@/);
  server.received.length = 0;
  expect(await reply(email, "I know.")).toMatchObject({ outcome: "note", record_id: id });
  expect((await loadNotes(id)).at(-1)).toEqual({ text: "I know.", internal: true, person: sam });
  expect((await delivered()).filter(({ to }) => to.startsWith("rita"))).toEqual([]);
  expect((await as("requester").get(`${path}/inbound_emails`)).text).not.toContain("I know.");
  // A forwarded copy lets a person without access to internal notes reply. That reply becomes a public note.
  expect(await reply({ ...email, to: "rita@widget.example" }, "What is this?")).toMatchObject({ record_id: id });
  expect((await loadNotes(id)).at(-1)).toEqual({ text: "What is this?", internal: false, person: rita });
});

test("notifications, digests and rejections that are sent back to the server are ignored", async () => {
  await request({ requested_by_id: rita, subject: "A mouse" });
  await send({ from: "ann@outside.example", to: "widget-it@mail.steward", subject: "Hello?" });
  const requests = async () => (await sql<{ n: number }>("SELECT count(*)::integer AS n FROM requests"))[0]?.n;
  const before = await requests();
  const sent = [await findEmailTo("rita", /registered/), await findEmailTo("ann", /^Not delivered/)];
  server.received.length = 0;
  for (const { raw } of sent)
    for (const from of ["desk@widget.example", "rita@widget.example"]) {
      const envelope = { from, to: "widget-it@mail.steward" };
      expect(await send({ raw, envelope })).toMatchObject({ outcome: "ignored", record_id: null });
      // Simulates a program in between that removed the headers of automatic emails.
      const bare = raw.replace(/^(Auto-Submitted|X-Auto-Response-Suppress):[^\n]*\n/gim, "");
      expect(await send({ raw: bare, envelope })).toMatchObject({
        outcome: "ignored",
        reason: "sent by this server",
      });
    }
  expect(await delivered()).toEqual([]);
  expect(await requests()).toBe(before);
});

test("an out-of-office reply notifies no one", async () => {
  const { id } = await request({ requested_by_id: rita, team_id: desk, member_id: sam, subject: "A mouse" });
  const mail = await findEmailTo("rita", /registered/);
  server.received.length = 0;
  for (const headers of [{ "Auto-Submitted": "auto-replied" }, { Precedence: "bulk" }, { "X-Autoreply": "yes" }])
    expect(await reply(mail, "I am away.", { headers })).toMatchObject({ outcome: "ignored" });
  expect(await loadNotes(id)).toEqual([]);
  expect(await delivered()).toEqual([]);
});

test("a person with one of the server's addresses gets emails, and they aren't processed further", async () => {
  await sql("UPDATE people SET primary_email = 'widget-it@mail.steward' WHERE id = 6");
  await request({ requested_by_id: 6 });
  const mail = await findEmailTo("widget-it", /registered/);
  server.received.length = 0;
  const envelope = { from: "desk@widget.example", to: mail.to };
  expect(await send({ raw: mail.raw, envelope })).toMatchObject({ outcome: "ignored" });
  expect(await delivered()).toEqual([]);
  await sql("UPDATE people SET primary_email = 'kim@widget.example' WHERE id = 6");
});
