import { expect, test } from "vitest";
import { fromSam, inboundMailDesk, png } from "../support/mail/inbound-mail-desk.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";

// Received emails that become notes: ML8, ML9.

const { the, as, sql, clock, send, admin, rita, policy, request, notes, texts, numbered } = await inboundMailDesk();

test("ML8: order of note matching: reply to a notification; thread (In-Reply-To, References); source + sourceID; id in subject", async () => {
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
  const first = await send({ ...fromSam, subject: `About ${two.id}`, text: "It goes on" });
  expect(first).toMatchObject({ outcome: "note", record_id: two.id });
  const notification = `<request.${one.id}.widget-it.0123456789abcdef@mail.widget.example>`;
  const text = "#source: Monitor\n#sourceID: M-3\n\nAnswer";
  const answer = async (mail: object) =>
    (await send({ ...fromSam, text, subject: `Re: ${four.id}`, ...mail })).record_id;
  expect(await answer({ inReplyTo: first.messageId, references: [notification] })).toBe(one.id);
  expect(await answer({ references: ["<unknown@x>", first.messageId] })).toBe(two.id);
  expect(await answer({ inReplyTo: "<unknown@x>" })).toBe(three.id);
  expect(await answer({ text: "Answer" })).toBe(four.id);
  expect(await texts(one.id)).toEqual(["Answer"]);
});

test("a reply becomes a note by its sender, notifies others like any note, and ends the waiting for the customer", async () => {
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

test("the quoted part of an HTML reply is cut off, with its images", async () => {
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

test("ML2: the policy decides: allow replies as notes; match on id in subject", async () => {
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

test("numbers of 6 or more digits, optionally after #, are tried from left to right", async () => {
  await numbered(400_000);
  const made = (await rita.post("/requests", { category: "other", subject: "Mine" })).body;
  const other = (await admin.post("/requests", { category: "other", subject: "Not Rita's" })).body;
  const findRecord = async (subject: string) => (await send({ subject, text: `About: ${subject}` })).record_id;
  expect(await findRecord(`999999 and ${other.id} and (#${made.id})`)).toBe(made.id);
  expect(await findRecord(`A${made.id}`)).not.toBe(made.id);
  expect(await findRecord("Room 12345")).not.toBe(12345);
});

test("the record types are tried in this order: request, problem, release, workflow, task, project, project task", async () => {
  await sql("SELECT setval('problems_id_seq', 500000)");
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  const mail = await send({ ...fromSam, subject: `Problem ${problem.id}`, text: "I know why" });
  expect(mail).toMatchObject({ outcome: "note", record_type: "problem", record_id: problem.id });
  expect((await admin.get(`/problems/${problem.id}/notes`)).body).toEqual([
    expect.objectContaining({ text: "I know why", medium: "email", person: expect.objectContaining({ id: 3 }) }),
  ]);
  // Requesters may write only on requests.
  expect(await send({ subject: `Problem ${problem.id}`, text: "Me too" })).toMatchObject({ outcome: "request" });
});

test("each type is found by its number, and by a reply to a notification about it", async () => {
  const bodies = new RequestBodies(admin, the.service.engine.types);
  const create = (type: string, members: object = {}) =>
    bodies.make(the.service.engine.types.get(type), { ...members });
  const kinds = workflowHelpers(admin);
  const [workflow, project] = [await kinds.workflow(), await kinds.project()];
  for (const [at, [type, make]] of (
    [
      ["problem", () => create("problem", { team_id: 1 })],
      ["release", () => create("release")],
      ["workflow", () => kinds.workflow()],
      ["task", () => kinds.task(workflow)],
      ["project", () => kinds.project()],
      ["project_task", () => kinds.projectTask(project)],
    ] as const
  ).entries()) {
    const { collection } = the.service.engine.types.get(type);
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

test("a request with the number comes before a problem", async () => {
  await numbered(700_000);
  const made = (await admin.post("/requests", { category: "other", subject: "R" })).body;
  await sql("SELECT setval('problems_id_seq', $1)", [made.id - 1]);
  const { body: problem } = await admin.post("/problems", { subject: "P", service_id: 1, team_id: 1 });
  expect(problem.id).toBe(made.id);
  expect(await send({ ...fromSam, subject: `About ${made.id}`, text: "Which?" })).toMatchObject({
    record_type: "request",
  });
});

test("email grants no additional access: people who may only read a record can't add a note to it", async () => {
  const kinds = workflowHelpers(admin);
  const workflow = await kinds.workflow();
  for (const [type, id, from, role] of [
    ["workflow", workflow.id, "sam", "specialist"],
    ["workflow", workflow.id, "aude", "auditor"],
    ["task", (await kinds.task(workflow)).id, "aude", "auditor"],
    ["project", (await kinds.project()).id, "sam", "specialist"],
  ] as const) {
    const { collection } = the.service.engine.types.get(type);
    expect((await as(role).get(`/${collection}/${id}`)).status).toBe(200);
    expect((await as(role).post(`/${collection}/${id}/notes`, { text: "Me too" })).status).toBe(403);
    const inReplyTo = `<${type}.${id}.widget-it.0123456789abcdef@mail.widget.example>`;
    const mail = await send({ from: `${from}@widget.example`, subject: `${type} ${from}`, inReplyTo, text: "Me too" });
    expect(mail, `${type} ${role}`).toMatchObject({ outcome: "request", record_type: "request" });
    expect((await admin.get(`/${collection}/${id}/notes`)).body).toEqual([]);
  }
});

test("the sender must be able to access the record; otherwise a new request is created", async () => {
  const made = await send({ ...fromSam, subject: "Between us", text: "Hush" });
  const other = await send({ subject: "Re: Between us", inReplyTo: made.messageId, text: "I heard" });
  expect(other).toMatchObject({ outcome: "request" });
  expect(await texts(made.record_id)).toEqual(["Hush"]);
});

test("ML8: not finished for more than x days, or last visible note at most x days old; x default 28", async () => {
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

test("ML9: emails match as monitoring events do, with account and requested_for added to the compared values", async () => {
  const alarm = { subject: "Disk full", text: "90 percent" };
  const first = await send({ ...fromSam, ...alarm });
  const second = await send({ ...fromSam, ...alarm });
  expect(second).toMatchObject({
    outcome: "note",
    record_id: first.record_id,
    note_id: null,
    reason: "same text as the request",
  });
  expect(await texts(first.record_id)).toEqual(["90 percent"]);
  expect((await send(alarm)).record_id).not.toBe(first.record_id);
  await clock.pass(86_400);
  expect((await send({ ...fromSam, ...alarm })).record_id).not.toBe(first.record_id);
});

test("the note is also added if it has attachments", async () => {
  const alarm = { ...fromSam, subject: "Graph", text: "See", attachments: [{ filename: "graph.txt", content: "1" }] };
  const first = await send(alarm);
  const second = await send(alarm);
  expect(second).toMatchObject({ outcome: "note", record_id: first.record_id });
  expect((await notes(first.record_id)).map((note: { attachments: unknown[] }) => note.attachments.length)).toEqual([
    1, 1,
  ]);
});

test("with ci, source, service_instance, ci and requested_for must be equal", async () => {
  const { instance } = serviceAgreements(admin);
  const ci = await new RequestBodies(admin, the.service.engine.types).make(the.service.engine.types.get("ci"), {
    label: "SRV-000001",
    support_team_id: 1,
    status: "in_production",
  });
  const it = await instance();
  await admin.post(`/service_instances/${it.id}/cis/${ci.id}`);
  const first = await send({ ...fromSam, subject: "Hot", text: "#ci: SRV-000001\n\n60 degrees" });
  expect(await request(first.record_id)).toMatchObject({
    category: "incident",
    impact: "top",
    service_instance: { id: it.id },
  });
  const second = await send({ ...fromSam, subject: "Hotter", text: "#ci: SRV-000001\n\n70 degrees" });
  expect(second).toMatchObject({ outcome: "note", record_id: first.record_id });
  const hushed = await send({
    ...fromSam,
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
