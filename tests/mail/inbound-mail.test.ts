import { expect, test } from "vitest";
import { inboundMailDesk, png } from "../support/mail/inbound-mail-desk.ts";
import { buildMessage, deskAddress } from "../support/mail/mail-sender.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";

// Received emails that become requests: ML1 to ML10.

const { the, sql, clock, send, hand, newest, admin, rita, policy, request, notes, texts, loadMailsTo } =
  await inboundMailDesk();

test("ML4: a plain email creates a request: requested_by = requested_for = sender, subject, body as note, category other, source Email, sourceID = Message-ID", async () => {
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
      to: deskAddress,
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
  const trail = (await admin.get(`/requests/${mail.record_id}/audit?fields=action,created_by,origin`)).body;
  expect(trail).toHaveLength(1);
  expect(trail[0]).toMatchObject({ action: "create", created_by: { id: 5 }, origin: { kind: "mail" } });
  expect((await rita.get(`/requests/${mail.record_id}`)).status).toBe(200);
});

test("ML1: the local part selects the account, any domain is accepted; emails to <local part>.<account id> are assigned to that team", async () => {
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

test("an email to several accounts is handled by each", async () => {
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

test("ML1: email is rejected for directory accounts, and for accounts and teams that don't exist", async () => {
  for (const to of ["widget@x.example", "nowhere@x.example", "nobody.widget-it@x.example", "widget-it.@x.example"])
    await expect(hand({ to }), to).rejects.toThrow(/550/);
});

test("team = service desk team", async () => {
  const { make } = serviceAgreements(admin);
  const agreement = await make("/flsas", { name: "Desk", provider_id: 1, customer_id: 1, service_desk_team_id: 1 });
  await sql("UPDATE flsas SET status = 'active' WHERE id = $1", [agreement.id]);
  const mail = await send({ subject: "Where does this go?" });
  await sql("UPDATE flsas SET status = 'expired' WHERE id = $1", [agreement.id]);
  expect((await request(mail.record_id)).team).toMatchObject({ id: 1 });
});

test("ML2: the account's email policy decides: allow inbound mail to create requests", async () => {
  await policy({ generate_new_requests: "never" });
  const refused = await send({ subject: "No" });
  expect(refused).toMatchObject({ outcome: "rejected", record_id: null });
  expect((await loadMailsTo("rita@widget.example")).at(-1)?.body).toContain("niet per e-mail worden ingediend.");
  expect(refused.reason).toBe("Requests can't be submitted by email here");
  await policy({ generate_new_requests: "only_from_allowed_people", allowed_senders: ["@widget.example"] });
  expect(await send({ subject: "Yes" })).toMatchObject({ outcome: "request" });
  await policy({ generate_new_requests: "only_from_allowed_people", allowed_senders: ["sam@widget.example"] });
  expect(await send({ subject: "No" })).toMatchObject({ outcome: "rejected" });
});

test("ML3: sender lookup: primary email first, then other addresses of people of the account and its directory account", async () => {
  await sql(
    `INSERT INTO contacts (account_id, person_id, label, email, created_at, updated_at) VALUES
('widget', 5, 'personal', 'Rita@Home.example', now(), now()), ('widget-it', 3, 'personal', 'mia@widget.example', now(), now()),
('widget-it', 3, 'personal', 'shared@home.example', now(), now()), ('widget-it', 9, 'personal', 'shared@home.example', now(), now())`,
  );
  const sender = async (from: string) =>
    (await request((await send({ from, subject: `Who is ${from.split("@")[1]}?` })).record_id)).requested_by?.id;
  expect(await sender("RITA@WIDGET.EXAMPLE")).toBe(5);
  expect(await sender("rita@home.example")).toBe(5);
  await the.service.notificationDispatcher.runDue();
  const emails = (await loadMailsTo("rita@widget.example")).filter(({ body }) => body.includes("rita@home.example"));
  expect(emails).toEqual([
    {
      subject: expect.stringMatching(/^Aanvraag \d+: geregistreerd vanaf een ander adres – /),
      body: expect.stringContaining("Met een e-mail van rita@home.example "),
    },
  ]);
  expect(await sender("mia@widget.example")).toBe(9);
  expect(await send({ from: "shared@home.example" })).toMatchObject({ outcome: "rejected" });
  expect(await send({ from: "stella@stranger.example" })).toMatchObject({ outcome: "rejected" });
});

test("ML3: an unknown sender is rejected with a rejection email, once an hour", async () => {
  const mail = await send({ from: "Ann <ann@outside.example>", subject: "Hello?" });
  expect(mail).toMatchObject({ outcome: "rejected", reason: "unknown sender", sender: "ann@outside.example" });
  await send({ from: "ann@outside.example", subject: "Hello again?" });
  expect(await loadMailsTo("ann@outside.example")).toEqual([
    {
      subject: "Not delivered: Hello?",
      body: expect.stringContaining("We don't recognize the sender ann@outside.example."),
    },
  ]);
  await clock.pass(3601);
  await send({ from: "ann@outside.example", subject: "And now?" });
  expect(await loadMailsTo("ann@outside.example")).toHaveLength(2);
});

test("a rejection is in the sender's language, otherwise in the account's", async () => {
  await policy({ generate_new_requests: "never" });
  // biome-ignore format: a table keeps its columns
  const languages = [
    ["en-GB", "Not delivered: Why?",    "Requests can't be submitted by email here."],
    ["nl",    "Niet bezorgd: Why?",     "Aanvragen kunnen hier niet per e-mail worden ingediend."],
    ["de",    "Nicht zugestellt: Why?", "Anfragen können hier nicht per E-Mail gestellt werden."],
    ["fr-CA", "Non distribué : Why?",   "Les demandes ne peuvent pas être envoyées par e-mail ici."],
    ["es",    "No entregado: Why?",     "Aquí no se pueden enviar solicitudes por correo."],
    ["ja",    "Not delivered: Why?",    "Requests can't be submitted by email here."],
  ] as const;
  for (const [locale, subject, text] of languages) {
    await clock.pass(3601);
    await sql("UPDATE people SET locale = $1 WHERE id = 6", [locale]);
    await send({ from: "kim@widget.example", subject: "Why?" });
    const emails = (await loadMailsTo("kim@widget.example")).filter((mail) => mail.subject.endsWith("Why?")).at(-1);
    expect(emails).toEqual({ subject, body: expect.stringContaining(text) });
  }
  await sql("UPDATE people SET locale = 'es', disabled = true WHERE id = 6");
  await clock.pass(3601);
  await send({ from: "kim@widget.example", subject: "And now?" });
  expect((await loadMailsTo("kim@widget.example")).at(-1)).toEqual({
    subject: "No entregado: And now?",
    body: expect.stringContaining("No reconocemos al remitente kim@widget.example."),
  });
  await sql("UPDATE people SET locale = 'en-US', disabled = false WHERE id = 6");
  await sql("UPDATE accounts SET locale = 'de' WHERE id = 'widget-it'");
  await send({ from: "anton@outside.example", subject: "" });
  await sql("UPDATE accounts SET locale = 'en-US' WHERE id = 'widget-it'");
  expect(await loadMailsTo("anton@outside.example")).toEqual([
    {
      subject: "Nicht zugestellt: Ihre E-Mail",
      body: expect.stringContaining("Der Absender anton@outside.example ist uns nicht bekannt."),
    },
  ]);
});

test("an address that writes under many names gets one rejection an hour", async () => {
  for (const name of ["one", "two", "three"])
    await send({ from: `${name}@forged.example`, envelope: { from: "Victim@outside.example", to: deskAddress } });
  await send({ from: "four@forged.example", envelope: { from: "victim@outside.example", to: deskAddress } });
  expect(await loadMailsTo("Victim@outside.example")).toHaveLength(1);
  expect(await loadMailsTo("victim@outside.example")).toEqual([]);
});

test("rejection emails are never sent to auto-replies, lists or null senders", async () => {
  await send({ from: "list@outside.example", headers: { "List-Id": "<all.outside.example>" } });
  await send({ from: "auto@outside.example", headers: { "Auto-Submitted": "auto-replied" } });
  await send({ from: "null@outside.example", envelope: { from: "", to: deskAddress } });
  expect(
    await sql("SELECT 1 FROM mails WHERE recipient LIKE '%@outside.example' AND recipient !~* '^(ann|anton|victim)@'"),
  ).toEqual([]);
});

test("a disabled person counts as unknown, and no new person is created", async () => {
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

test("ML6: an email has at most 20 attachments, and inline images become inline attachments", async () => {
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

test("a text that is too long for a note is attached as a file", async () => {
  const mail = await send({ subject: "Long", text: "é".repeat(80_000) });
  const [note] = await notes(mail.record_id);
  expect(Buffer.byteLength(note.text)).toBeLessThan(65_536);
  expect(note.attachments).toEqual([expect.objectContaining({ name: "message.txt", size: 160_000, inline: false })]);
});

test("the text of a note never contains HTML", async () => {
  const mail = await send({
    subject: "<b>Bold</b>",
    html: `<style>p{}</style><p onclick="x()">Hi <script>alert(1)</script><a href="javascript:alert(1)">click</a> <a href="https://ok.example/">here</a></p><iframe src="https://x"></iframe>`,
  });
  expect(await texts(mail.record_id)).toEqual(["Hi click [here](https://ok.example/)"]);
});

test("loops and auto-replies are ignored", async () => {
  const own = `<request.1.widget-it.0123456789abcdef@mail.widget.example>`;
  for (const [mail, reason] of [
    [{ headers: { "Auto-Submitted": "auto-replied" } }, "automatic email"],
    [{ headers: { Precedence: "bulk" } }, "bulk email"],
    [{ headers: { Precedence: "list" } }, "bulk email"],
    [{ headers: { Precedence: "junk" } }, "bulk email"],
    [{ headers: { "X-Auto-Response-Suppress": "OOF, AutoReply" } }, "automatic email"],
    [{ headers: { "X-Loop": "desk" } }, "email loop"],
    [{ headers: { "Return-Path": "<>" } }, "no return address"],
    [{ envelope: { from: "", to: deskAddress } }, "no return address"],
    [{ messageId: own }, "sent by this server"],
    [{ from: deskAddress }, "sent by this server"],
    [{ from: "stray@outside.example", envelope: { from: deskAddress, to: deskAddress } }, "sent by this server"],
    [{ headers: { "X-Autoreply": "yes" } }, "automatic email"],
    [
      {
        headers: [
          { key: "Auto-Submitted", value: "no" },
          { key: "Auto-Submitted", value: "auto-replied" },
        ],
      },
      "automatic email",
    ],
    [{ from: "MAILER-DAEMON@mx.example", headers: {} }, "automatic email"],
  ] as const)
    expect(await send({ subject: "Loop", ...mail } as object)).toMatchObject({
      outcome: "ignored",
      reason,
      record_id: null,
    });
  expect(await send({ subject: "Written", headers: { "Auto-Submitted": "no" } })).toMatchObject({ outcome: "request" });
});

test("bounces in a person's name and read receipts are ignored", async () => {
  const made = await send({ subject: "Help", text: "Help me" });
  for (const kind of ["delivery-status", "disposition-notification"]) {
    const raw = buildMessage(
      "From: rita@widget.example",
      `To: ${deskAddress}`,
      "Subject: Re: Help",
      `In-Reply-To: ${made.messageId}`,
      `Content-Type: multipart/report; report-type=${kind}; boundary=b`,
      "",
      "--b",
      "",
      "What became of your mail",
      "--b--",
    );
    const mail = await send({ raw, envelope: { from: "rita@widget.example", to: deskAddress } });
    expect(mail).toMatchObject({ outcome: "ignored", reason: "delivery report or read receipt" });
  }
  expect(await texts(made.record_id)).toEqual(["Help me"]);
});

test("the same message is handled once", async () => {
  const mail = { subject: "Once", text: "Only once", messageId: "<once@widget.example>" };
  expect(await send(mail)).toMatchObject({ outcome: "request" });
  expect(await send({ ...mail, text: "Otherwise" })).toMatchObject({
    outcome: "ignored",
    reason: "already processed",
  });
});

test("ML10: administrators see received emails with their outcome, and set the policy", async () => {
  const session = the.as("administrator");
  const mail = await send({ subject: "Look at me" });
  const { body } = await session.get("/received_mails");
  expect(body[0]).toMatchObject({
    sender: "rita@widget.example",
    subject: "Look at me",
    outcome: "request",
    record_id: mail.record_id,
  });
  const at = "/email_policy";
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
  const trail = (await session.get("/security_trail")).body;
  const entries = trail.filter(({ event }: { event: string }) => event === "email-policy-changed");
  expect(entries.map(({ details }: { details: unknown }) => details)).toEqual([
    { secret: "removed" },
    { allow_from: [false, true] },
    { create_people: [false, true], secret: "changed" },
  ]);
});

test("ML10: received emails are deleted after 30 days", async () => {
  await clock.pass(31 * 86_400);
  expect(await sql("SELECT 1 FROM received_mails")).toEqual([]);
});
