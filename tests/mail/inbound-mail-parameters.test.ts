import type { SendMailOptions } from "nodemailer";
import { expect, test } from "vitest";
import { fromSam, inboundMailDesk } from "../support/mail/inbound-mail-desk.ts";

// Parameters in an email for the request it creates: ML5, ML7.

const { sql, send, admin, policy, request, notes, texts, loadMailsTo, makeAnalyst } = await inboundMailDesk();

test("ML5: parameters: lines #name: value at the start of the body, ended by a blank line or #end; enum shortcuts", async () => {
  const mail = await send({
    ...fromSam,
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
  const ended = await send({ ...fromSam, subject: "Ended", text: "#category: rfc\n#end\n#top of the page is missing" });
  expect(await texts(ended.record_id)).toEqual(["#top of the page is missing"]);
  const closed = await send({
    ...fromSam,
    subject: "Done",
    text: "#completed\n#completion_reason: withdrawn\n\nNever mind",
  });
  expect(await request(closed.record_id)).toMatchObject({ status: "completed", completion_reason: "withdrawn" });
});

test("names are those of monitoring events without requested_by, plus time_spent (minutes)", async () => {
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  const template = (await admin.post("/request_templates", { subject: "T", category: "rfi", service_id: 1 })).body;
  const mail = await send({
    ...fromSam,
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
  const other = await send({ ...fromSam, subject: "Not me", text: "#requested_by: rita@widget.example\n\nHello" });
  expect(await request(other.record_id)).toMatchObject({ requested_by: { id: 3 } });
  expect(await texts(other.record_id)).toEqual(["#requested_by: rita@widget.example\n\nHello"]);
});

test("parameters only apply to new requests", async () => {
  const made = await send({ ...fromSam, subject: "First", text: "#impact: low\n#incident\n\nOne" });
  const answer = { ...fromSam, subject: "Re: First", inReplyTo: made.messageId };
  const reply = await send({ ...answer, text: "#impact: top\n#completed\n#team: Networks\n\nTwo" });
  expect(reply).toMatchObject({ outcome: "note", record_id: made.record_id });
  expect(await request(made.record_id)).toMatchObject({ impact: "low", status: "assigned", team: null });
  expect(await texts(made.record_id)).toEqual(["One", "Two"]);
});

test("parameters work in HTML, too, and #internal makes the body an internal note", async () => {
  const mail = await send({
    ...fromSam,
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

test("#markdown uses the plain text unchanged", async () => {
  const mail = await send({
    ...fromSam,
    subject: "M",
    text: "#markdown\n\n**As** typed",
    html: "<p>#markdown</p><p>Made by a program</p>",
  });
  expect(await texts(mail.record_id)).toEqual(["**As** typed"]);
});

test("ML5: only if the sender is specialist of the account (otherwise ignored)", async () => {
  const mail = await send({ subject: "Trying", text: "#incident\n#top\n\nHello" });
  expect(await request(mail.record_id)).toMatchObject({ category: "other", impact: null });
  expect(await texts(mail.record_id)).toEqual(["#incident\n#top\n\nHello"]);
});

test("requested_for requires the service_desk_analyst role", async () => {
  const asking = { ...fromSam, text: "#requested_for: rita@widget.example\n\nFor Rita" };
  expect((await request((await send({ ...asking, subject: "One" })).record_id)).requested_for.id).toBe(3);
  await makeAnalyst();
  expect(await request((await send({ ...asking, subject: "Two" })).record_id)).toMatchObject({
    requested_by: { id: 3 },
    requested_for: { id: 5 },
  });
});

test("the policy decides: allow #from", async () => {
  await makeAnalyst();
  const forwarded = { ...fromSam, text: "#from: rita@widget.example\n\nShe wrote to me." };
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

test("#from must be one person's address, and any other value creates no person", async () => {
  await makeAnalyst();
  await policy({ allow_from: true, create_people: true });
  const people = async () => (await sql<{ n: number }>("SELECT count(*)::integer AS n FROM people"))[0]?.n ?? 0;
  const sendFrom = async (from: string) =>
    send({ ...fromSam, subject: `From ${from}`, text: `#from: ${from}\n#incident\n\nHi` });
  const before = await people();
  for (const wrong of ["nonsense", "two@outside.example, three@outside.example", "a@b@outside.example", "<>"]) {
    const mail = await sendFrom(wrong);
    expect(mail, wrong).toMatchObject({ outcome: "request", reason: "from is not valid" });
    expect(await request(mail.record_id)).toMatchObject({ requested_by: { id: 3 }, category: "incident" });
  }
  expect(await people()).toBe(before);
  const mail = await sendFrom('"Olga Outside" <olga@outside.example>');
  expect(mail.reason).toBeNull();
  const { requested_by } = await request(mail.record_id);
  expect(requested_by.name).toBe("Olga Outside");
  expect((await admin.get(`/people/${requested_by.id}`)).body.primary_email).toBe("olga@outside.example");
});

test(" @<account id> after a value selects the account", async () => {
  await sql(
    "INSERT INTO teams (id, account_id, name, created_at, updated_at) VALUES (90, 'provider', 'Networks', now(), now())",
  );
  const mail = await send({ ...fromSam, subject: "Elsewhere", text: "#team: Networks @provider\n\nHelp" });
  expect((await request(mail.record_id)).team).toMatchObject({ id: 90, account: { id: "provider" } });
  const hidden = await send({ ...fromSam, subject: "Hidden", text: "#team: Strange Team @stranger\n\nHelp" });
  expect(hidden).toMatchObject({ outcome: "request", reason: "team is not valid" });
  expect((await request(hidden.record_id)).team).toBeNull();
});

test("custom_field_<id>; unknown parameters are ignored and reported", async () => {
  const mail = await send({
    ...fromSam,
    subject: "Odd",
    text: "#category: nonsense\n#service_instance: Nowhere\n#custom_field_room: 12\n#impact: low\n\nText",
  });
  expect(mail).toMatchObject({ outcome: "request" });
  expect(mail.reason).toMatch(/category is not valid/);
  expect(mail.reason).toMatch(/service_instance is not valid/);
  expect((await admin.get(`/requests/${mail.record_id}/inbound_emails`)).body[0].failure_reason).toBe(mail.reason);
  expect(await request(mail.record_id)).toMatchObject({ category: "other", custom_fields: { room: "12" } });
});

test("ML7: header X-Xurrent-From with X-Xurrent-Auth replaces the sender when policy secret and DMARC pass", async () => {
  const secret = "0123456789abcdef0123";
  const results = "mx.widget.example; spf=pass; dmarc=pass (p=reject) header.from=widget.example";
  const loadRequester = async (headers: NonNullable<SendMailOptions["headers"]>, subject: string) =>
    (await request((await send({ ...fromSam, subject, headers })).record_id)).requested_by.id;
  const all = { "X-Xurrent-From": "rita@widget.example", "X-Xurrent-Auth": secret, "Authentication-Results": results };
  await policy({ allow_from: true }, secret);
  expect(await loadRequester(all, "1")).toBe(5);
  expect(await loadRequester({ ...all, "X-Xurrent-Auth": "wrong" }, "2")).toBe(3);
  expect(await loadRequester({ ...all, "Authentication-Results": results.replace("mx.widget", "mx.evil") }, "3")).toBe(
    3,
  );
  expect(
    await loadRequester({ ...all, "Authentication-Results": results.replace("dmarc=pass", "dmarc=fail") }, "4"),
  ).toBe(3);
  expect(
    await loadRequester(
      { ...all, "Authentication-Results": results.replace("header.from=widget", "header.from=evil") },
      "5",
    ),
  ).toBe(3);
  const withResults = (value: string) => ({ ...all, "Authentication-Results": { prepared: true, value } });
  const verdict = "dmarc=pass header.from=widget.example";
  for (const forged of [
    `mx.widget.example; spf=pass smtp.mailfrom="a; ${verdict} b"@evil.example; dmarc=fail header.from=widget.example`,
    `mx.widget.example; spf=none (said (twice); ${verdict}; so) smtp.helo=x; dmarc=fail header.from=widget.example`,
    `mx.widget.example; ${verdict}; dmarc=fail header.from=widget.example`,
    `mx.evil.example; ${verdict}`,
    "mx.widget.example; spf=pass smtp.mailfrom=widget.example",
    "",
  ])
    expect(await loadRequester(withResults(forged), forged), forged).toBe(3);
  expect(
    await loadRequester(withResults('MX.widget.example 1; dmarc=pass header.from="widget.example"'), "quoted"),
  ).toBe(5);
  const named = { ...all, "X-Xurrent-From": { prepared: true, value: '"Rita" <Rita@Widget.example>' } };
  expect(await loadRequester(named, "named")).toBe(5);
  for (const vendor of ["X-4me", "X-Steward"]) {
    const { "X-Xurrent-From": from, "X-Xurrent-Auth": auth, ...others } = all;
    expect(await loadRequester({ ...others, [`${vendor}-From`]: from, [`${vendor}-Auth`]: auth }, vendor)).toBe(5);
  }
  expect(await loadRequester({ ...all, "X-Xurrent-From": "rita@widget.example, kim@widget.example" }, "two")).toBe(3);
  await policy({}, secret);
  expect(await loadRequester(all, "6")).toBe(3);
  await policy({ allow_from: true });
  expect(await loadRequester(all, "7")).toBe(3);
});

test("an unknown person in X-Xurrent-From is rejected like any sender, and the secret is never stored", async () => {
  const secret = "0123456789abcdef0123";
  await policy({ allow_from: true }, secret);
  const headers = {
    "X-Xurrent-From": "noone@outside.example",
    "X-Xurrent-Auth": secret,
    "Authentication-Results": "mx.widget.example; dmarc=pass header.from=widget.example",
  };
  const mail = await send({ ...fromSam, subject: "For nobody", headers });
  expect(mail).toMatchObject({ outcome: "rejected", reason: "unknown sender", record_id: null });
  expect(await loadMailsTo("noone@outside.example")).toEqual([]);
  expect((await loadMailsTo("sam@widget.example")).at(-1)?.body).toContain(
    "We don't recognize the sender noone@outside.example.",
  );
  expect(JSON.stringify(await sql("SELECT * FROM received_mails WHERE id = $1", [mail.id]))).not.toContain(secret);
});

test("parameters are ignored in an email that a trusted mail server marks as forged", async () => {
  const headers = { "Authentication-Results": "mx.widget.example; dmarc=fail header.from=widget.example" };
  const mail = await send({ ...fromSam, subject: "Forged", text: "#incident\n\nHello", headers });
  expect(await request(mail.record_id)).toMatchObject({ category: "other" });
});
