import type { SendMailOptions } from "nodemailer";
import { beforeEach, expect, test } from "vitest";
import { agreements } from "./support/agreements.ts";
import { Bodies } from "./support/bodies.ts";
import { desk, eml, postman } from "./support/mail.ts";
import { signedIn } from "./support/session-client.ts";
import { work } from "./support/work.ts";
import { type Client, world } from "./support/world.ts";

// Mail that becomes requests and notes: reference, import-export.md section 4; titles are its sentences.

const the = await world({
  env: { MAIL_PORT: "0", MAIL_TRUSTED_AUTHSERV: "mx.widget.example", MAIL_PER_HOUR: "1000" },
});
const { as, sql, clock } = the;
const { send, hand, newest } = postman(the);
const admin = as("administrator");
const rita = as("requester");
const sam = { from: "Sam Specialist <sam@widget.example>" };
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function policy(settings: Record<string, unknown>, secret: string | null = null): Promise<void> {
  const values = ["widget-it", JSON.stringify(settings), secret];
  await sql(
    `INSERT INTO email_policies (account_id, settings, secret_hash, updated_at) VALUES ($1, $2, encode(sha256($3::bytea), 'hex'), now())
ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings, secret_hash = excluded.secret_hash`,
    values,
  );
}
const request = async (id: number | null, by: Client = admin) => (await by.get(`/requests/${id}`)).body;
const notes = async (id: number | null, by: Client = admin) => (await by.get(`/requests/${id}/notes`)).body;
const texts = async (id: number | null) => (await notes(id)).map(({ text }: { text: string }) => text);
const mailsTo = (recipient: string) =>
  sql<{ subject: string; body: string }>("SELECT subject, body FROM mails WHERE recipient = $1 ORDER BY id", [
    recipient,
  ]);
/** Sam may ask for others. */
const makeAnalyst = () =>
  sql(`INSERT INTO permissions (account_id, person_id, role, created_at) SELECT 'widget-it', 3, 'service_desk_analyst', now()
WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE person_id = 3 AND role = 'service_desk_analyst')`);
/** A number that nothing else has, of at least six digits. */
async function numbered(from: number): Promise<void> {
  await sql("SELECT setval('requests_id_seq', greatest($1, (SELECT coalesce(max(id), 1) FROM requests)))", [from]);
}

beforeEach(async () => {
  await sql("DELETE FROM email_policies");
  await clock.pass(3601);
});

test("plain mail creates a request: requested_by = requested_for = sender, subject, body as note, category other, source Email, sourceID = Message-ID", async () => {
  const mail = await send({ subject: "The printer is on fire", text: "Please hurry.\n\nRita" });
  expect(mail).toMatchObject({ state: "done", outcome: "request", record_type: "request", reason: null, raw: null });
  expect(await request(mail.record_id)).toMatchObject({
    subject: "The printer is on fire",
    category: "other",
    status: "assigned",
    created_by: { id: 5 },
    requested_by: { id: 5 },
    requested_for: { id: 5 },
    source: "Email",
    sourceID: mail.messageId,
  });
  const [note] = await notes(mail.record_id);
  expect(note).toMatchObject({
    id: mail.note_id,
    text: "Please hurry.\n\nRita",
    medium: "email",
    person: { id: 5 },
    inbound_email: { subject: "The printer is on fire" },
  });
  expect((await admin.get(`/requests/${mail.record_id}/inbound_emails`)).body).toEqual([
    expect.objectContaining({
      message_id: mail.messageId,
      from: "Rita Requester <rita@widget.example>",
      to: desk,
      subject: "The printer is on fire",
      body_start: "Please hurry.\n\nRita",
      source_uri: null,
      failure_reason: null,
      note: expect.objectContaining({ id: mail.note_id }),
    }),
  ]);
  const events = await sql("SELECT event FROM events WHERE record_type = 'request' AND record_id = $1", [
    mail.record_id,
  ]);
  expect(events.map(({ event }) => event)).toEqual(["request.create"]);
  const trail = (await admin.get(`/requests/${mail.record_id}/audit`)).body;
  expect(trail).toHaveLength(1);
  expect(trail[0]).toMatchObject({ action: "create", created_by: { id: 5 } });
  expect((await rita.get(`/requests/${mail.record_id}`)).status).toBe(200);
});

test("the local part decides, any domain is taken; teams <local part>.<account id> are assigned to that team", async () => {
  await admin.patch("/teams/2", { inbound_email_local_part: "Net.Works" });
  expect(await request((await send({ to: "WIDGET-IT@elsewhere.example", subject: "A" })).record_id)).toMatchObject({
    subject: "A",
  });
  const mail = await send({ to: "net.works.widget-it@mail.example", subject: "No network" });
  expect((await request(mail.record_id)).team).toMatchObject({ id: 2 });
  await admin.patch("/teams/2", { disabled: true });
  await expect(hand({ to: "net.works.widget-it@mail.example" })).rejects.toThrow(/550 .*no such address/);
  await admin.patch("/teams/2", { disabled: false });
});

test("one mail to several accounts is a mail to each", async () => {
  await sql("UPDATE people SET primary_email = 'rita@widget.example' WHERE id = 5");
  const before = await newest();
  await send({ to: ["widget-it@x.example", "widget-hr@x.example", "WIDGET-IT@y.example"], subject: "Both" });
  const rows = await sql("SELECT account_id, outcome FROM received_mails WHERE id > $1 ORDER BY account_id", [
    before.id,
  ]);
  expect(rows).toEqual([
    { account_id: "widget-hr", outcome: "request" },
    { account_id: "widget-it", outcome: "request" },
  ]);
});

test("mail is not possible for directory accounts, nor for accounts and teams that do not exist", async () => {
  for (const to of ["widget@x.example", "nowhere@x.example", "nobody.widget-it@x.example", "widget-it.@x.example"])
    await expect(hand({ to }), to).rejects.toThrow(/550/);
});

test("team = service desk team", async () => {
  const { make } = agreements(admin);
  const agreement = await make("/flsas", { name: "Desk", provider_id: 1, customer_id: 1, service_desk_team_id: 1 });
  await sql("UPDATE flsas SET status = 'active' WHERE id = $1", [agreement.id]);
  const mail = await send({ subject: "Where does this go?" });
  await sql("UPDATE flsas SET status = 'expired' WHERE id = $1", [agreement.id]);
  expect((await request(mail.record_id)).team).toMatchObject({ id: 1 });
});

test("the account's e-mail policy decides: allow inbound mail to create requests", async () => {
  await policy({ generate_new_requests: "never" });
  const refused = await send({ subject: "No" });
  expect(refused).toMatchObject({ outcome: "rejected", record_id: null });
  expect((await mailsTo("rita@widget.example")).at(-1)?.body).toContain("niet per mail worden ingediend.");
  expect(refused.reason).toBe("Requests cannot be made by mail here");
  await policy({ generate_new_requests: "only_from_allowed_people", allowed_senders: ["@widget.example"] });
  expect(await send({ subject: "Yes" })).toMatchObject({ outcome: "request" });
  await policy({ generate_new_requests: "only_from_allowed_people", allowed_senders: ["sam@widget.example"] });
  expect(await send({ subject: "No" })).toMatchObject({ outcome: "rejected" });
});

test("sender lookup: primary e-mail first, then other addresses of people of the account and its directory account", async () => {
  await sql(
    `INSERT INTO contacts (account_id, person_id, label, email, created_at, updated_at) VALUES
('widget', 5, 'personal', 'Rita@Home.example', now(), now()), ('widget-it', 3, 'personal', 'mia@widget.example', now(), now()),
('widget-it', 3, 'personal', 'shared@home.example', now(), now()), ('widget-it', 9, 'personal', 'shared@home.example', now(), now())`,
  );
  const sender = async (from: string) =>
    (await request((await send({ from, subject: `Who is ${from.split("@")[1]}?` })).record_id)).requested_by?.id;
  expect(await sender("RITA@WIDGET.EXAMPLE")).toBe(5);
  expect(await sender("rita@home.example")).toBe(5);
  await the.service.teller.runDue();
  const told = (await mailsTo("rita@widget.example")).filter(({ body }) => body.includes("rita@home.example"));
  expect(told).toEqual([
    {
      subject: expect.stringMatching(/^Aanvraag \d+: geregistreerd vanaf een ander adres – /),
      body: expect.stringContaining("Een mail van rita@home.example,"),
    },
  ]);
  expect(await sender("mia@widget.example")).toBe(9);
  expect(await send({ from: "shared@home.example" })).toMatchObject({ outcome: "rejected" });
  expect(await send({ from: "stella@stranger.example" })).toMatchObject({ outcome: "rejected" });
});

test("unknown sender: rejected with a rejection mail, once an hour", async () => {
  const mail = await send({ from: "Ann <ann@outside.example>", subject: "Hello?" });
  expect(mail).toMatchObject({ outcome: "rejected", reason: "the sender is not known", sender: "ann@outside.example" });
  await send({ from: "ann@outside.example", subject: "Hello again?" });
  expect(await mailsTo("ann@outside.example")).toEqual([
    {
      subject: "Not accepted: Hello?",
      body: expect.stringContaining("The sender ann@outside.example is not known here."),
    },
  ]);
  await clock.pass(3601);
  await send({ from: "ann@outside.example", subject: "And now?" });
  expect(await mailsTo("ann@outside.example")).toHaveLength(2);
});

test("a rejection is written in the language of the sender, else of the account", async () => {
  await policy({ generate_new_requests: "never" });
  // biome-ignore format: a table keeps its columns
  const languages = [
    ["en-GB", "Not accepted: Why?",     "Requests cannot be made by mail here."],
    ["nl",    "Niet aangenomen: Why?",  "Aanvragen kunnen hier niet per mail worden ingediend."],
    ["de",    "Nicht angenommen: Why?", "Anfragen können hier nicht per Mail gestellt werden."],
    ["fr-CA", "Non accepté : Why?",     "Les demandes ne peuvent pas être faites par courriel ici."],
    ["es",    "No aceptado: Why?",      "Aquí no se pueden hacer solicitudes por correo."],
    ["ja",    "Not accepted: Why?",     "Requests cannot be made by mail here."],
  ] as const;
  for (const [locale, subject, text] of languages) {
    await clock.pass(3601);
    await sql("UPDATE people SET locale = $1 WHERE id = 6", [locale]);
    await send({ from: "kim@widget.example", subject: "Why?" });
    const told = (await mailsTo("kim@widget.example")).filter((mail) => mail.subject.endsWith("Why?")).at(-1);
    expect(told).toEqual({ subject, body: expect.stringContaining(text) });
  }
  await sql("UPDATE people SET locale = 'es', disabled = true WHERE id = 6");
  await clock.pass(3601);
  await send({ from: "kim@widget.example", subject: "And now?" });
  expect((await mailsTo("kim@widget.example")).at(-1)).toEqual({
    subject: "No aceptado: And now?",
    body: expect.stringContaining("El remitente kim@widget.example no es conocido aquí."),
  });
  await sql("UPDATE people SET locale = 'en-US', disabled = false WHERE id = 6");
  await sql("UPDATE accounts SET locale = 'de' WHERE id = 'widget-it'");
  await send({ from: "anton@outside.example", subject: "" });
  await sql("UPDATE accounts SET locale = 'en-US' WHERE id = 'widget-it'");
  expect(await mailsTo("anton@outside.example")).toEqual([
    {
      subject: "Nicht angenommen: Ihre Nachricht",
      body: expect.stringContaining("Der Absender anton@outside.example ist hier nicht bekannt."),
    },
  ]);
});

test("whoever writes in many names is told once an hour all the same", async () => {
  for (const name of ["one", "two", "three"])
    await send({ from: `${name}@forged.example`, envelope: { from: "Victim@outside.example", to: desk } });
  await send({ from: "four@forged.example", envelope: { from: "victim@outside.example", to: desk } });
  expect(await mailsTo("Victim@outside.example")).toHaveLength(1);
  expect(await mailsTo("victim@outside.example")).toEqual([]);
});

test("rejection mails never go to auto-replies, lists or null senders", async () => {
  await send({ from: "list@outside.example", headers: { "List-Id": "<all.outside.example>" } });
  await send({ from: "auto@outside.example", headers: { "Auto-Submitted": "auto-replied" } });
  await send({ from: "null@outside.example", envelope: { from: "", to: desk } });
  expect(
    await sql("SELECT 1 FROM mails WHERE recipient LIKE '%@outside.example' AND recipient !~* '^(ann|anton|victim)@'"),
  ).toEqual([]);
});

test("a person who is disabled is not known, and is not made anew", async () => {
  await policy({ create_people: true });
  await sql("UPDATE people SET disabled = true WHERE id = 6");
  expect(await send({ from: "kim@widget.example" })).toMatchObject({
    outcome: "rejected",
    reason: "the sender is disabled",
  });
  await sql("UPDATE people SET disabled = false WHERE id = 6");
});

test("the policy decides: create unknown senders as people", async () => {
  await policy({ create_people: true });
  const mail = await send({ from: '"Newman, Ned" <ned@outside.example>', subject: "I am new" });
  expect(mail).toMatchObject({ outcome: "request" });
  const { requested_by } = await request(mail.record_id);
  expect((await admin.get(`/people/${requested_by.id}`)).body).toMatchObject({
    name: "Newman, Ned",
    primary_email: "ned@outside.example",
    organization: { id: 1 },
    source: "Email",
  });
  const again = await send({ from: "ned@outside.example", subject: "Me again" });
  expect((await request(again.record_id)).requested_by.id).toBe(requested_by.id);
});

test("parameters: lines #name: value at the start of the body, ended by a blank line or #end; enum shortcuts", async () => {
  const mail = await send({
    ...sam,
    subject: "Server down",
    text: "#incident\n#top\n#team: Networks\n#supplier_requestID: S-1\n#downtime_start_at: 2025-03-03T07:00:00Z\n#time_spent: 15\n\n#rfc is not a parameter here\nIt is down.",
  });
  expect(mail.reason).toBeNull();
  expect(await request(mail.record_id)).toMatchObject({
    category: "incident",
    impact: "top",
    team: { id: 2 },
    supplier_requestID: "S-1",
    requested_by: { id: 3 },
  });
  expect(await texts(mail.record_id)).toEqual(["#rfc is not a parameter here\nIt is down."]);
  expect(await sql("SELECT time_spent FROM time_entries WHERE request_id = $1", [mail.record_id])).toHaveLength(1);
  const ended = await send({ ...sam, subject: "Ended", text: "#category: rfc\n#end\n#top of the page is missing" });
  expect(await texts(ended.record_id)).toEqual(["#top of the page is missing"]);
  const closed = await send({
    ...sam,
    subject: "Done",
    text: "#completed\n#completion_reason: withdrawn\n\nNever mind",
  });
  expect(await request(closed.record_id)).toMatchObject({ status: "completed", completion_reason: "withdrawn" });
});

test("names as in 3.1 without requested_by, plus time_spent (minutes)", async () => {
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  const template = (await admin.post("/request_templates", { subject: "T", category: "rfi", service_id: 1 })).body;
  const mail = await send({
    ...sam,
    subject: "In the header",
    text: [
      "#subject: In the body",
      "#impact: medium",
      "#CATEGORY: incident",
      "#status: waiting_for",
      "#waiting_until: 2035-01-01T09:00:00Z",
      "#team_id: 1",
      "#member: Sam@Widget.example",
      "#supplier: Printer Supplier",
      "#supplier_requestID: S-9",
      `#problem_id: ${problem.id}`,
      `#template_id: ${template.id}`,
      "#desired_completion_at: 2035-01-02T09:00:00Z",
      "#downtime_start_at: 2025-01-01T09:00:00Z",
      "#downtime_end_at: 2025-01-01T10:00:00Z",
      "#source: Monitor",
      "#sourceID: M-31",
      "#note: First",
      "#internal_note: Between us",
      "#time_spent: 15",
      "#end",
      "Last",
    ].join("\n"),
  });
  expect(mail.reason).toBeNull();
  expect(await request(mail.record_id)).toMatchObject({
    subject: "In the body",
    category: "incident",
    impact: "medium",
    status: "waiting_for",
    team: { id: 1 },
    member: { id: 3 },
    supplier: { name: "Printer Supplier" },
    supplier_requestID: "S-9",
    problem: { id: problem.id },
    template: { id: template.id },
    source: "Monitor",
    sourceID: "M-31",
    created_by: { id: 3 },
    requested_by: { id: 3 },
  });
  const [times] = await sql(
    "SELECT desired_completion_at, downtime_start_at, downtime_end_at, waiting_until FROM requests WHERE id = $1",
    [mail.record_id],
  );
  expect(Object.values(times ?? {}).map((at) => (at as Date).toISOString().slice(0, 13))).toEqual([
    "2035-01-02T09",
    "2025-01-01T09",
    "2025-01-01T10",
    "2035-01-01T09",
  ]);
  expect(
    (await notes(mail.record_id)).map(({ text, internal }: Record<string, unknown>) => [text, internal]).sort(),
  ).toEqual([
    ["Between us", true],
    ["First\n\nLast", false],
  ]);
  expect(await sql("SELECT time_spent FROM time_entries WHERE request_id = $1", [mail.record_id])).toEqual([
    { time_spent: 15 },
  ]);
  const other = await send({ ...sam, subject: "Not me", text: "#requested_by: rita@widget.example\n\nHello" });
  expect(await request(other.record_id)).toMatchObject({ requested_by: { id: 3 } });
  expect(await texts(other.record_id)).toEqual(["#requested_by: rita@widget.example\n\nHello"]);
});

test("parameters only apply to new requests", async () => {
  const made = await send({ ...sam, subject: "First", text: "#impact: low\n#incident\n\nOne" });
  const answer = { ...sam, subject: "Re: First", inReplyTo: made.messageId };
  const reply = await send({ ...answer, text: "#impact: top\n#completed\n#team: Networks\n\nTwo" });
  expect(reply).toMatchObject({ outcome: "note", record_id: made.record_id });
  expect(await request(made.record_id)).toMatchObject({ impact: "low", status: "assigned", team: null });
  expect(await texts(made.record_id)).toEqual(["One", "Two"]);
});

test("parameters work in HTML, too, and #internal makes the body an internal note", async () => {
  const mail = await send({
    ...sam,
    subject: "Internal",
    html: "<p>#incident</p><p>#internal</p><p>#end</p><p>Do <b>not</b> tell anybody.</p>",
  });
  expect(await request(mail.record_id)).toMatchObject({ category: "incident", impact: "top" });
  expect(await notes(mail.record_id)).toEqual([
    expect.objectContaining({ text: "Do **not** tell anybody.", internal: true, medium: "email" }),
  ]);
  const [trace] = (await admin.get(`/requests/${mail.record_id}/inbound_emails`)).body;
  expect(trace.body_start).toBeNull();
});

test("#markdown takes the plain text as it is", async () => {
  const mail = await send({
    ...sam,
    subject: "M",
    text: "#markdown\n\n**As** typed",
    html: "<p>#markdown</p><p>Made by a program</p>",
  });
  expect(await texts(mail.record_id)).toEqual(["**As** typed"]);
});

test("only if the sender is specialist of the account (else ignored)", async () => {
  const mail = await send({ subject: "Trying", text: "#incident\n#top\n\nHello" });
  expect(await request(mail.record_id)).toMatchObject({ category: "other", impact: null });
  expect(await texts(mail.record_id)).toEqual(["#incident\n#top\n\nHello"]);
});

test("requested_for needs the service_desk_analyst role", async () => {
  const asking = { ...sam, text: "#requested_for: rita@widget.example\n\nFor Rita" };
  expect((await request((await send({ ...asking, subject: "One" })).record_id)).requested_for.id).toBe(3);
  await makeAnalyst();
  expect(await request((await send({ ...asking, subject: "Two" })).record_id)).toMatchObject({
    requested_by: { id: 3 },
    requested_for: { id: 5 },
  });
});

test("the policy decides: allow #from", async () => {
  await makeAnalyst();
  const forwarded = { ...sam, text: "#from: rita@widget.example\n\nShe wrote to me." };
  expect(await request((await send({ ...forwarded, subject: "One" })).record_id)).toMatchObject({
    requested_by: { id: 3 },
  });
  await policy({ allow_from: true });
  expect(await request((await send({ ...forwarded, subject: "Two" })).record_id)).toMatchObject({
    created_by: { id: 3 },
    requested_by: { id: 5 },
    requested_for: { id: 5 },
  });
});

test("#from names one person by an address: nobody is made of anything else", async () => {
  await makeAnalyst();
  await policy({ allow_from: true, create_people: true });
  const people = async () => (await sql<{ n: number }>("SELECT count(*)::integer AS n FROM people"))[0]?.n ?? 0;
  const asked = async (from: string) =>
    send({ ...sam, subject: `From ${from}`, text: `#from: ${from}\n#incident\n\nHi` });
  const before = await people();
  for (const wrong of ["nonsense", "two@outside.example, three@outside.example", "a@b@outside.example", "<>"]) {
    const mail = await asked(wrong);
    expect(mail, wrong).toMatchObject({ outcome: "request", reason: "from is not valid" });
    expect(await request(mail.record_id)).toMatchObject({ requested_by: { id: 3 }, category: "incident" });
  }
  expect(await people()).toBe(before);
  const mail = await asked('"Olga Outside" <olga@outside.example>');
  expect(mail.reason).toBeNull();
  const { requested_by } = await request(mail.record_id);
  expect(requested_by.name).toBe("Olga Outside");
  expect((await admin.get(`/people/${requested_by.id}`)).body.primary_email).toBe("olga@outside.example");
});

test(" @<account id> after a value picks the account", async () => {
  await sql(
    "INSERT INTO teams (id, account_id, name, created_at, updated_at) VALUES (90, 'provider', 'Networks', now(), now())",
  );
  const mail = await send({ ...sam, subject: "Elsewhere", text: "#team: Networks @provider\n\nHelp" });
  expect((await request(mail.record_id)).team).toMatchObject({ id: 90, account: { id: "provider" } });
  const hidden = await send({ ...sam, subject: "Hidden", text: "#team: Strange Team @stranger\n\nHelp" });
  expect(hidden).toMatchObject({ outcome: "request", reason: "team is not valid" });
  expect((await request(hidden.record_id)).team).toBeNull();
});

test("custom_field_<id>, and what means nothing is left out and told", async () => {
  const mail = await send({
    ...sam,
    subject: "Odd",
    text: "#category: nonsense\n#service_instance: Nowhere\n#custom_field_room: 12\n#impact: low\n\nText",
  });
  expect(mail).toMatchObject({ outcome: "request" });
  expect(mail.reason).toMatch(/category is not valid/);
  expect(mail.reason).toMatch(/service_instance is not valid/);
  expect((await admin.get(`/requests/${mail.record_id}/inbound_emails`)).body[0].failure_reason).toBe(mail.reason);
  expect(await request(mail.record_id)).toMatchObject({ category: "other", custom_fields: { room: "12" } });
});

test("attachments: at most 20; inline images become inline attachments", async () => {
  const files = Array.from({ length: 23 }, (_, index) => ({ filename: `file ${index}.txt`, content: `${index}` }));
  const mail = await send({
    subject: "Files",
    html: '<p>Look: <img src="cid:fire@widget" alt="the fire"> and <img src="https://tracker.example/x.gif" alt="">.</p>',
    attachments: [{ filename: "fire (1).png", content: png, cid: "fire@widget" }, ...files],
  });
  expect(mail.reason).toBe("4 attachments were left out");
  const [note] = await notes(mail.record_id);
  expect(note.attachments).toHaveLength(20);
  const image = note.attachments.find(({ inline }: { inline: boolean }) => inline);
  expect(image).toMatchObject({ name: "fire-1-.png", size: png.length });
  expect(note.text).toBe(`Look: ![the fire](${image.key}) and .`);
  const shown = await fetch(image.uri);
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(png);
  expect(await sql("SELECT key FROM jobs WHERE kind = 'remove file'")).toEqual([]);
});

test("a text that is too long for a note goes along as a file", async () => {
  const mail = await send({ subject: "Long", text: "é".repeat(80_000) });
  const [note] = await notes(mail.record_id);
  expect(Buffer.byteLength(note.text)).toBeLessThan(65_536);
  expect(note.attachments).toEqual([expect.objectContaining({ name: "message.txt", size: 160_000, inline: false })]);
});

test("the text of a note never carries HTML", async () => {
  const mail = await send({
    subject: "<b>Bold</b>",
    html: `<style>p{}</style><p onclick="x()">Hi <script>alert(1)</script><a href="javascript:alert(1)">click</a> <a href="https://ok.example/">here</a></p><iframe src="https://x"></iframe>`,
  });
  expect(await texts(mail.record_id)).toEqual(["Hi click [here](https://ok.example/)"]);
});

test("header X-Xurrent-From with X-Xurrent-Auth replaces the sender when policy secret and DMARC pass", async () => {
  const secret = "0123456789abcdef0123";
  const results = "mx.widget.example; spf=pass; dmarc=pass (p=reject) header.from=widget.example";
  const ask = async (headers: NonNullable<SendMailOptions["headers"]>, subject: string) =>
    (await request((await send({ ...sam, subject, headers })).record_id)).requested_by.id;
  const all = { "X-Xurrent-From": "rita@widget.example", "X-Xurrent-Auth": secret, "Authentication-Results": results };
  await policy({ allow_from: true }, secret);
  expect(await ask(all, "1")).toBe(5);
  expect(await ask({ ...all, "X-Xurrent-Auth": "wrong" }, "2")).toBe(3);
  expect(await ask({ ...all, "Authentication-Results": results.replace("mx.widget", "mx.evil") }, "3")).toBe(3);
  expect(await ask({ ...all, "Authentication-Results": results.replace("dmarc=pass", "dmarc=fail") }, "4")).toBe(3);
  expect(
    await ask({ ...all, "Authentication-Results": results.replace("header.from=widget", "header.from=evil") }, "5"),
  ).toBe(3);
  const saying = (value: string) => ({ ...all, "Authentication-Results": { prepared: true, value } });
  const verdict = "dmarc=pass header.from=widget.example";
  for (const forged of [
    `mx.widget.example; spf=pass smtp.mailfrom="a; ${verdict} b"@evil.example; dmarc=fail header.from=widget.example`,
    `mx.widget.example; spf=none (said (twice); ${verdict}; so) smtp.helo=x; dmarc=fail header.from=widget.example`,
    `mx.widget.example; ${verdict}; dmarc=fail header.from=widget.example`,
    `mx.evil.example; ${verdict}`,
    "mx.widget.example; spf=pass smtp.mailfrom=widget.example",
    "",
  ])
    expect(await ask(saying(forged), forged), forged).toBe(3);
  expect(await ask(saying('MX.widget.example 1; dmarc=pass header.from="widget.example"'), "quoted")).toBe(5);
  const named = { ...all, "X-Xurrent-From": { prepared: true, value: '"Rita" <Rita@Widget.example>' } };
  expect(await ask(named, "named")).toBe(5);
  for (const vendor of ["X-4me", "X-Steward"]) {
    const { "X-Xurrent-From": from, "X-Xurrent-Auth": auth, ...others } = all;
    expect(await ask({ ...others, [`${vendor}-From`]: from, [`${vendor}-Auth`]: auth }, vendor)).toBe(5);
  }
  expect(await ask({ ...all, "X-Xurrent-From": "rita@widget.example, kim@widget.example" }, "two")).toBe(3);
  await policy({}, secret);
  expect(await ask(all, "6")).toBe(3);
  await policy({ allow_from: true });
  expect(await ask(all, "7")).toBe(3);
});

test("who is named by X-Xurrent-From and not known is rejected like any sender, and the secret is kept nowhere", async () => {
  const secret = "0123456789abcdef0123";
  await policy({ allow_from: true }, secret);
  const headers = {
    "X-Xurrent-From": "noone@outside.example",
    "X-Xurrent-Auth": secret,
    "Authentication-Results": "mx.widget.example; dmarc=pass header.from=widget.example",
  };
  const mail = await send({ ...sam, subject: "For nobody", headers });
  expect(mail).toMatchObject({ outcome: "rejected", reason: "the sender is not known", record_id: null });
  expect(await mailsTo("noone@outside.example")).toEqual([]);
  expect((await mailsTo("sam@widget.example")).at(-1)?.body).toContain("noone@outside.example is not known here.");
  expect(JSON.stringify(await sql("SELECT * FROM received_mails WHERE id = $1", [mail.id]))).not.toContain(secret);
});

test("what a trusted mail server calls forged has no parameters", async () => {
  const headers = { "Authentication-Results": "mx.widget.example; dmarc=fail header.from=widget.example" };
  const mail = await send({ ...sam, subject: "Forged", text: "#incident\n\nHello", headers });
  expect(await request(mail.record_id)).toMatchObject({ category: "other" });
});

test("order of note matching: reply to a notification; thread (In-Reply-To, References); source + sourceID; id in subject", async () => {
  await numbered(200_000);
  const [one, two, three, four] = await Promise.all(
    ["One", "Two", "Three", "Four"].map(async (subject) => {
      const source = subject === "Three" ? { source: "Monitor", sourceID: "M-3" } : {};
      return (
        await admin.post("/requests", {
          category: "other",
          subject,
          requested_for_id: 3,
          requested_by_id: 3,
          ...source,
        })
      ).body;
    }),
  );
  const first = await send({ ...sam, subject: `About ${two.id}`, text: "It goes on" });
  expect(first).toMatchObject({ outcome: "note", record_id: two.id });
  const notification = `<request.${one.id}.widget-it.0123456789abcdef@mail.widget.example>`;
  const text = "#source: Monitor\n#sourceID: M-3\n\nAnswer";
  const answer = async (mail: object) => (await send({ ...sam, text, subject: `Re: ${four.id}`, ...mail })).record_id;
  expect(await answer({ inReplyTo: first.messageId, references: [notification] })).toBe(one.id);
  expect(await answer({ references: ["<unknown@x>", first.messageId] })).toBe(two.id);
  expect(await answer({ inReplyTo: "<unknown@x>" })).toBe(three.id);
  expect(await answer({ text: "Answer" })).toBe(four.id);
  expect(await texts(one.id)).toEqual(["Answer"]);
});

test("a reply is a note by its sender, told like any other, and ends the waiting for the customer", async () => {
  const made = await send({ subject: "Help", text: "Help me" });
  await admin.patch(`/requests/${made.record_id}`, { team_id: 1, member_id: 3, status: "waiting_for_customer" });
  const reply = await send({
    subject: "Re: Help",
    inReplyTo: made.messageId,
    text: "Here it is.\n-- \nRita\n\nOn Mon, 3 Mar 2025 at 09:00, Steward <x@y.example> wrote:\n> What is it?",
    attachments: [{ filename: "it.txt", content: "it" }],
  });
  expect(reply).toMatchObject({ outcome: "note", record_type: "request", record_id: made.record_id });
  const [, note] = await notes(made.record_id);
  expect(note).toMatchObject({
    text: "Here it is.",
    medium: "email",
    person: { id: 5 },
    inbound_email: { subject: "Re: Help" },
  });
  expect(note.attachments).toEqual([expect.objectContaining({ name: "it.txt" })]);
  expect(await request(made.record_id)).toMatchObject({ status: "assigned" });
  const events = await sql("SELECT event FROM events WHERE record_type = 'request' AND record_id = $1 ORDER BY id", [
    made.record_id,
  ]);
  expect(events.map(({ event }) => event)).toContain("request.note-added");
});

test("an answer in HTML: what it quotes is cut off, with the images in it", async () => {
  const made = await send({ subject: "Pictures", text: "See?" });
  const reply = await send({
    subject: "Re: Pictures",
    references: [made.messageId],
    html: '<div>Now I <i>see</i>.</div><div class="gmail_quote">On Monday Rita wrote:<blockquote>See? <img src="cid:old"></blockquote></div>',
    attachments: [{ filename: "old.png", content: png, cid: "old" }],
  });
  const note = (await notes(reply.record_id)).at(-1);
  expect(note).toMatchObject({ text: "Now I __see__.", attachments: [] });
});

test("the policy decides: allow replies as notes; match on id in subject", async () => {
  await numbered(300_000);
  const made = await send({ subject: "First", text: "One" });
  await policy({ match_id_in_subject: false });
  expect((await send({ subject: `Re: #${made.record_id}`, text: "Two" })).record_id).not.toBe(made.record_id);
  await policy({});
  expect((await send({ subject: `Re: #${made.record_id}`, text: "Three" })).record_id).toBe(made.record_id);
  await policy({ replies_as_notes: false });
  const other = await send({ subject: "Re: First", inReplyTo: made.messageId, text: "Four" });
  expect(other).toMatchObject({ outcome: "request" });
  expect(other.record_id).not.toBe(made.record_id);
});

test("numbers of 6 or more digits, optionally after #, tried left to right", async () => {
  await numbered(400_000);
  const made = (await rita.post("/requests", { category: "other", subject: "Mine" })).body;
  const other = (await admin.post("/requests", { category: "other", subject: "Not Rita's" })).body;
  const to = async (subject: string) => (await send({ subject, text: `About: ${subject}` })).record_id;
  expect(await to(`999999 and ${other.id} and (#${made.id})`)).toBe(made.id);
  expect(await to(`A${made.id}`)).not.toBe(made.id);
  expect(await to("Room 12345")).not.toBe(12345);
});

test("record types tried: request, problem, release, workflow, task, project, project task", async () => {
  await sql("SELECT setval('problems_id_seq', 500000)");
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  const mail = await send({ ...sam, subject: `Problem ${problem.id}`, text: "I know why" });
  expect(mail).toMatchObject({ outcome: "note", record_type: "problem", record_id: problem.id });
  expect((await admin.get(`/problems/${problem.id}/notes`)).body).toEqual([
    expect.objectContaining({ text: "I know why", medium: "email", person: expect.objectContaining({ id: 3 }) }),
  ]);
  // Nothing but requests is for everybody.
  expect(await send({ subject: `Problem ${problem.id}`, text: "Me too" })).toMatchObject({ outcome: "request" });
});

test("each of them is found by its number, and by the answer to a notification about it", async () => {
  const bodies = new Bodies(admin, the.service.engine.types);
  const made = (type: string, members: object = {}) =>
    bodies.make(the.service.engine.types.named(type), { ...members });
  const kinds = work(admin);
  const [workflow, project] = [await kinds.workflow(), await kinds.project()];
  for (const [at, [type, make]] of (
    [
      ["problem", () => made("problem", { team_id: 1 })],
      ["release", () => made("release")],
      ["workflow", () => kinds.workflow()],
      ["task", () => kinds.task(workflow)],
      ["project", () => kinds.project()],
      ["project_task", () => kinds.projectTask(project)],
    ] as const
  ).entries()) {
    const { collection } = the.service.engine.types.named(type);
    await sql(`SELECT setval('${collection}_id_seq', $1)`, [600_000 + at * 1000]);
    const { id } = await make();
    const from = { from: "ada@widget.example" };
    const numbered = await send({ ...from, subject: `About #${id}`, text: "By number" });
    expect(numbered, type).toMatchObject({ outcome: "note", record_type: type, record_id: id });
    const notice = `<${type}.${id}.widget-it.0123456789abcdef@mail.widget.example>`;
    const answer = await send({ ...from, subject: "Re: it", inReplyTo: notice, text: "By answer" });
    expect(answer, type).toMatchObject({ outcome: "note", record_type: type, record_id: id });
    const threaded = await send({ ...from, subject: "Re: it", references: [answer.messageId], text: "By thread" });
    expect(threaded, type).toMatchObject({ outcome: "note", record_type: type, record_id: id });
    const said = (await admin.get(`/${collection}/${id}/notes`)).body.map(({ text }: { text: string }) => text);
    expect(said.sort()).toEqual(["By answer", "By number", "By thread"]);
  }
});

test("a request of that number comes before a problem", async () => {
  await numbered(700_000);
  const made = (await admin.post("/requests", { category: "other", subject: "R" })).body;
  await sql("SELECT setval('problems_id_seq', $1)", [made.id - 1]);
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  expect(problem.id).toBe(made.id);
  expect(await send({ ...sam, subject: `About ${made.id}`, text: "Which?" })).toMatchObject({ record_type: "request" });
});

test("mail opens no door that the interface keeps shut: who may only read a record writes no note on it", async () => {
  const kinds = work(admin);
  const workflow = await kinds.workflow();
  for (const [type, id, from, role] of [
    ["workflow", workflow.id, "sam", "specialist"],
    ["workflow", workflow.id, "aude", "auditor"],
    ["task", (await kinds.task(workflow)).id, "aude", "auditor"],
    ["project", (await kinds.project()).id, "sam", "specialist"],
  ] as const) {
    const { collection } = the.service.engine.types.named(type);
    expect((await as(role).get(`/${collection}/${id}`)).status).toBe(200);
    expect((await as(role).post(`/${collection}/${id}/notes`, { text: "Me too" })).status).toBe(403);
    const inReplyTo = `<${type}.${id}.widget-it.0123456789abcdef@mail.widget.example>`;
    const mail = await send({ from: `${from}@widget.example`, subject: `${type} ${from}`, inReplyTo, text: "Me too" });
    expect(mail, `${type} ${role}`).toMatchObject({ outcome: "request", record_type: "request" });
    expect((await admin.get(`/${collection}/${id}/notes`)).body).toEqual([]);
  }
});

test("sender may access the record; otherwise a new request", async () => {
  const made = await send({ ...sam, subject: "Between us", text: "Hush" });
  const other = await send({ subject: "Re: Between us", inReplyTo: made.messageId, text: "I heard" });
  expect(other).toMatchObject({ outcome: "request" });
  expect(await texts(made.record_id)).toEqual(["Hush"]);
});

test("not finished for more than x days, or last visible note at most x days old; x default 28", async () => {
  const answer = (to: { messageId: string }, text: string) => send({ subject: "Re", inReplyTo: to.messageId, text });
  const made = await send({ subject: "Old", text: "One" });
  await admin.patch(`/requests/${made.record_id}`, { status: "completed", team_id: 1, member_id: 3 });
  await clock.pass(27 * 86_400);
  expect((await answer(made, "In time")).record_id).toBe(made.record_id);
  await clock.pass(27 * 86_400);
  expect((await answer(made, "The last note is young")).record_id).toBe(made.record_id);
  await clock.pass(29 * 86_400);
  expect(await answer(made, "Too late")).toMatchObject({ outcome: "request" });
  await policy({ days_after_completion: 400 });
  expect((await answer(made, "For them it is not")).record_id).toBe(made.record_id);
});

test("event matching as 3.3 with account and requested_for added to the compared values", async () => {
  const alarm = { subject: "Disk full", text: "90 percent" };
  const first = await send({ ...sam, ...alarm });
  const second = await send({ ...sam, ...alarm });
  expect(second).toMatchObject({
    outcome: "note",
    record_id: first.record_id,
    note_id: null,
    reason: "the request says this already",
  });
  expect(await texts(first.record_id)).toEqual(["90 percent"]);
  expect((await send(alarm)).record_id).not.toBe(first.record_id);
  await clock.pass(86_400);
  expect((await send({ ...sam, ...alarm })).record_id).not.toBe(first.record_id);
});

test("the note is also added when it has attachments", async () => {
  const alarm = { ...sam, subject: "Graph", text: "See", attachments: [{ filename: "graph.txt", content: "1" }] };
  const first = await send(alarm);
  const second = await send(alarm);
  expect(second).toMatchObject({ outcome: "note", record_id: first.record_id });
  expect((await notes(first.record_id)).map((note: { attachments: unknown[] }) => note.attachments.length)).toEqual([
    1, 1,
  ]);
});

test("with ci: match when source, service_instance, ci and requested_for are equal", async () => {
  const { instance } = agreements(admin);
  const ci = await new Bodies(admin, the.service.engine.types).make(the.service.engine.types.named("ci"), {
    label: "SRV-000001",
    support_team_id: 1,
    status: "in_production",
  });
  const it = await instance();
  await admin.post(`/service_instances/${it.id}/cis/${ci.id}`);
  const first = await send({ ...sam, subject: "Hot", text: "#ci: SRV-000001\n\n60 degrees" });
  expect(await request(first.record_id)).toMatchObject({
    category: "incident",
    impact: "top",
    service_instance: { id: it.id },
  });
  const second = await send({ ...sam, subject: "Hotter", text: "#ci: SRV-000001\n\n70 degrees" });
  expect(second).toMatchObject({ outcome: "note", record_id: first.record_id });
  const hushed = await send({
    ...sam,
    subject: "Hottest",
    text: "#ci: SRV-000001\n#internal\n#note: Hush\n\n75 degrees",
  });
  expect(hushed).toMatchObject({ outcome: "note", record_id: first.record_id });
  expect((await notes(first.record_id)).at(-1)).toMatchObject({ internal: true, text: "Hush\n\n75 degrees" });
  const other = await send({
    from: "mia@widget.example",
    subject: "Hot here too",
    text: "#ci: SRV-000001\n\n80 degrees",
  });
  expect(other.record_id).not.toBe(first.record_id);
});

test("loops and auto-replies are ignored", async () => {
  const own = `<request.1.widget-it.0123456789abcdef@mail.widget.example>`;
  for (const [mail, reason] of [
    [{ headers: { "Auto-Submitted": "auto-replied" } }, "it was sent automatically"],
    [{ headers: { Precedence: "bulk" } }, "it was sent in bulk"],
    [{ headers: { Precedence: "list" } }, "it was sent in bulk"],
    [{ headers: { Precedence: "junk" } }, "it was sent in bulk"],
    [{ headers: { "X-Auto-Response-Suppress": "OOF, AutoReply" } }, "it was sent automatically"],
    [{ headers: { "X-Loop": "desk" } }, "it has been here before"],
    [{ headers: { "Return-Path": "<>" } }, "it has no return address"],
    [{ envelope: { from: "", to: desk } }, "it has no return address"],
    [{ messageId: own }, "we have sent it ourselves"],
    [{ from: desk }, "we have sent it ourselves"],
    [{ from: "stray@outside.example", envelope: { from: desk, to: desk } }, "we have sent it ourselves"],
    [{ headers: { "X-Autoreply": "yes" } }, "it was sent automatically"],
    [
      {
        headers: [
          { key: "Auto-Submitted", value: "no" },
          { key: "Auto-Submitted", value: "auto-replied" },
        ],
      },
      "it was sent automatically",
    ],
    [{ from: "MAILER-DAEMON@mx.example", headers: {} }, "it was sent automatically"],
  ] as const)
    expect(await send({ subject: "Loop", ...mail } as object)).toMatchObject({
      outcome: "ignored",
      reason,
      record_id: null,
    });
  expect(await send({ subject: "Written", headers: { "Auto-Submitted": "no" } })).toMatchObject({ outcome: "request" });
});

test("a bounce that comes in somebody's name, and the receipt that a mail was read, are ignored", async () => {
  const made = await send({ subject: "Help", text: "Help me" });
  for (const kind of ["delivery-status", "disposition-notification"]) {
    const raw = eml(
      "From: rita@widget.example",
      `To: ${desk}`,
      "Subject: Re: Help",
      `In-Reply-To: ${made.messageId}`,
      `Content-Type: multipart/report; report-type=${kind}; boundary=b`,
      "",
      "--b",
      "",
      "What became of your mail",
      "--b--",
    );
    const mail = await send({ raw, envelope: { from: "rita@widget.example", to: desk } });
    expect(mail).toMatchObject({ outcome: "ignored", reason: "it is a report about another mail" });
  }
  expect(await texts(made.record_id)).toEqual(["Help me"]);
});

test("the same message is handled once", async () => {
  const mail = { subject: "Once", text: "Only once", messageId: "<once@widget.example>" };
  expect(await send(mail)).toMatchObject({ outcome: "request" });
  expect(await send({ ...mail, text: "Otherwise" })).toMatchObject({
    outcome: "ignored",
    reason: "it was handled before",
  });
});

test("administrators see received mails with their outcome, and set the policy", async () => {
  const session = await signedIn(the, "administrator");
  const mail = await send({ subject: "Look at me" });
  const { body } = await session.get("/accounts/widget-it/received-mails");
  expect(body[0]).toMatchObject({
    sender: "rita@widget.example",
    subject: "Look at me",
    outcome: "request",
    record_id: mail.record_id,
  });
  const at = "/accounts/widget-it/email-policy";
  expect((await session.get(at)).body).toEqual({
    generate_new_requests: "always",
    allowed_senders: [],
    replies_as_notes: true,
    match_id_in_subject: true,
    allow_from: false,
    create_people: false,
    days_after_completion: 28,
    has_secret: false,
  });
  expect((await session.patch(at, { generate_new_requests: "sometimes", colour: "red", secret: "short" })).status).toBe(
    422,
  );
  expect((await session.patch(at, { create_people: true, secret: "a long enough secret" })).body).toMatchObject({
    create_people: true,
    has_secret: true,
  });
  expect((await session.patch(at, { allow_from: true })).body).toMatchObject({ create_people: true, has_secret: true });
  expect((await session.patch(at, { secret: null })).body).toMatchObject({ has_secret: false });
  await session.patch(at, { allow_from: true }); // changes nothing
  const trail = (await session.get("/accounts/widget-it/security-trail")).body;
  const told = trail.filter(({ event }: { event: string }) => event === "email-policy-changed");
  expect(told.map(({ details }: { details: unknown }) => details)).toEqual([
    { secret: "removed" },
    { allow_from: [false, true] },
    { create_people: [false, true], secret: "changed" },
  ]);
});

test("what became of mails is forgotten after 30 days", async () => {
  await clock.pass(31 * 86_400);
  expect(await sql("SELECT 1 FROM received_mails")).toEqual([]);
});
