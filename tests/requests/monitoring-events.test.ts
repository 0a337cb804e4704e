import { describe, expect, test } from "vitest";
import { hashToken } from "../../server/oauth/tokens.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { tokenFor } from "../support/seed.ts";
import { type Reply, world } from "../support/world.ts";

// ME1 to ME7

const { as, service, clock, sql, withToken } = await world();
const admin = as("administrator");
const { types } = service.engine;
const bodies = new RequestBodies(admin, types);
const create = (type: string, members: Record<string, unknown> = {}) => bodies.make(types.get(type), members);
const postEvent = (members: Record<string, unknown>, by = admin): Promise<Reply> => by.post("/events", members);
const loadNotes = async (id: number) =>
  (await admin.get(`/requests/${id}/notes`)).body.map(({ text }: { text: string }) => text);
const listErrorFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;

async function createSupportedItem() {
  const [line, support] = [await create("team"), await create("team")];
  const instance = await create("service_instance", { first_line_team_id: line.id, support_team_id: support.id });
  const ci = await create("ci");
  await sql("INSERT INTO service_instance_cis (account_id, service_instance_id, ci_id) VALUES ('widget-it', $1, $2)", [
    instance.id,
    ci.id,
  ]);
  const { body } = await admin.get(`/cis/${ci.id}`);
  return { line, support, instance, ci: body };
}

describe("a new request", () => {
  test("ME2: a call with only a subject is valid", async () => {
    const { status, body, headers } = await postEvent({ subject: "Disk full" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      subject: "Disk full",
      category: "other",
      impact: null,
      status: "assigned",
      source: "Event",
      created_by: { id: 1 },
      requested_by: { id: 1 },
      requested_for: { id: 1 },
    });
    expect(headers.get("Location")).toContain(`/requests/${body.id}`);
    expect(listErrorFields(await postEvent({}))).toEqual(["subject"]);
  });

  test("ME2: a configuration item determines the service instance, category incident, impact top and the first-line team", async () => {
    const { ci, instance, line } = await createSupportedItem();
    const { body } = await postEvent({ subject: "Down", ci: ci.label, source: "Nagios", sourceID: "e-1" });
    expect(body).toMatchObject({
      category: "incident",
      impact: "top",
      service_instance: { id: instance.id },
      team: { id: line.id },
      source: "Nagios",
      sourceID: "e-1",
    });
    expect((await admin.get(`/requests/${body.id}/cis`)).body).toMatchObject([{ id: ci.id }]);
  });

  test("ME1: names, addresses and source pairs identify records as ids do", async () => {
    const { ci, instance } = await createSupportedItem();
    await admin.patch(`/cis/${ci.id}`, { source: "CMDB", sourceID: "42" });
    const supplier = (await admin.get("/organizations/6")).body;
    const { body } = await postEvent({
      subject: "By name",
      service_instance: instance.name ?? (await admin.get(`/service_instances/${instance.id}`)).body.name,
      ci_source: "CMDB",
      ci_sourceID: "42",
      requested_for: "RITA@widget.example",
      supplier: supplier.name,
      team: "Service Desk",
      member: "sam@widget.example",
    });
    expect(body).toMatchObject({
      requested_by: { id: 1 },
      requested_for: { id: 5 },
      supplier: { id: 6 },
      team: { id: 1 },
      member: { id: 3 },
      service_instance: { id: instance.id },
    });
    expect(listErrorFields(await postEvent({ subject: "x", ci: "no such thing", requested_for: "no@body" }))).toEqual([
      "ci",
      "requested_for",
    ]);
  });

  test("ME3: an unknown team falls back to the default, and a member outside the team is ignored", async () => {
    const { ci, line } = await createSupportedItem();
    expect((await postEvent({ subject: "a", ci: ci.label, team: "Nobody" })).body.team).toMatchObject({ id: line.id });
    const { status, body } = await postEvent({ subject: "b", team_id: 1, member: "rita@widget.example" });
    expect([status, body.team.id, body.member]).toEqual([201, 1, null]);
    expect((await postEvent({ subject: "c", team_id: 999_999 })).body.team).toBeNull();
  });

  test("an event from a member of one of the supporting teams is assigned to the support team", async () => {
    const { ci, line, support } = await createSupportedItem();
    await admin.post(`/teams/${line.id}/members/3`);
    expect((await postEvent({ subject: "a", ci: ci.label }, as("specialist"))).body.team).toMatchObject({
      id: support.id,
    });
  });

  test("the next defaults are the support team and the requester's service desk; a member determines the team", async () => {
    const { ci, support, instance } = await createSupportedItem();
    await admin.patch(`/service_instances/${instance.id}`, { first_line_team_id: null });
    expect((await postEvent({ subject: "a", ci: ci.label })).body.team).toMatchObject({ id: support.id });
    expect((await postEvent({ subject: "b", member: "sam@widget.example" })).body).toMatchObject({
      team: { id: 1 },
      member: { id: 3 },
    });
    const desk = await create("team");
    await create("flsa", { customer_id: 3, service_desk_team_id: desk.id, status: "active" });
    expect((await postEvent({ subject: "c", requested_for_id: 5 })).body.team).toMatchObject({ id: desk.id });
  });

  test("with a template that has a workflow template, the request waits for the workflow and is assigned to its manager", async () => {
    const workflowTemplate = await create("workflow_template", {
      category: "standard",
      justification: "maintenance",
      workflow_type: (await create("workflow_type")).reference,
      service_id: 1,
    });
    const template = await create("request_template", {
      workflow_template_id: workflowTemplate.id,
      workflow_manager_id: 3,
    });
    expect((await postEvent({ subject: "w", template_id: template.id })).body).toMatchObject({
      status: "workflow_pending",
      member: { id: 3 },
    });
  });

  test("ME3: the caller becomes the member if the status needs one", async () => {
    const { body } = await postEvent({ subject: "mine", team: "Service Desk", status: "accepted" }, as("specialist"));
    expect(body).toMatchObject({ status: "accepted", member: { id: 3 } });
  });

  test("the call overrides the template, and the template overrides the defaults", async () => {
    const template = await create("request_template", { category: "rfi", impact: "medium" });
    const id = template.id;
    expect((await postEvent({ subject: "t", template_id: id })).body).toMatchObject({ category: "rfi", subject: "t" });
    expect((await postEvent({ subject: "u", template_id: id, category: "rfc" })).body).toMatchObject({
      category: "rfc",
    });
  });

  test("ME1: parameters can be in the query string or in a form", async () => {
    expect((await admin.post("/events?subject=Query&source=Q")).body).toMatchObject({ subject: "Query", source: "Q" });
    const form = await admin.post("/events", "subject=Form&note=n", {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect([form.status, form.body.subject]).toEqual([201, "Form"]);
  });

  test("parameters can be in a multipart form, too", async () => {
    const form = new FormData();
    form.set("subject", "Multipart");
    form.set("supplier_requestID", "R-77");
    const { status, body } = await admin.post("/events", form);
    expect([status, body.subject, body.supplier_requestID]).toEqual([201, "Multipart", "R-77"]);
  });

  test("unknown parameters are named, and rejected for callers that ask for strictness", async () => {
    const unknown = { subject: "Unknown", colour: "red" };
    const { status, headers } = await postEvent(unknown);
    expect([status, headers.get("X-Ignored-Fields")]).toEqual([201, "colour"]);
    const strict = await admin.post("/events", unknown, { Prefer: "handling=strict" });
    expect([strict.status, strict.body.errors.map(([name]: [string]) => name)]).toEqual([422, ["colour"]]);
  });

  test("software is identified by its name, an item's sourceID with or without the source", async () => {
    const category = await create("product_category", { rule_set: "software" });
    const product = await create("product", { category: category.reference });
    const software = await create("ci", { product_id: product.id, name: "Mail Daemon 7" });
    const loadItem = async (members: Record<string, unknown>) => {
      const { status, body } = await postEvent({ subject: `s ${JSON.stringify(members)}`, ...members });
      return status === 201 ? (await admin.get(`/requests/${body.id}/cis`)).body[0]?.id : status;
    };
    expect(await loadItem({ ci: "Mail Daemon 7" })).toBe(software.id);
    const { ci } = await createSupportedItem();
    await admin.patch(`/cis/${ci.id}`, { source: "Scan", sourceID: "S-43" });
    expect(await loadItem({ ci_sourceID: "S-43" })).toBe(ci.id);
    expect(await loadItem({ ci_sourceID: "S-43", ci_source: "Elsewhere" })).toBe(422);
    expect(await loadItem({ ci: ci.name })).toBe(422);
  });

  test("values and datetimes have the format of requests", async () => {
    const times = { downtime_start_at: "2025-03-03T07:00:00Z", downtime_end_at: "2025-03-03T07:30:00+00:00" };
    const { status, body } = await postEvent({
      ...{ subject: "wire", category: "rfi", impact: "low", desired_completion_at: "2025-03-05T10:00:00Z", ...times },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      category: "rfi",
      impact: "low",
      desired_completion_at: "2025-03-05T11:00:00+01:00",
      downtime_start_at: "2025-03-03T08:00:00+01:00",
      downtime_end_at: "2025-03-03T08:30:00+01:00",
    });
    for (const wrong of [{ category: "nonsense" }, { impact: "huge" }, { status: "x" }, { waiting_until: "soon" }])
      expect(listErrorFields(await postEvent({ subject: "wrong", ...wrong })), JSON.stringify(wrong)).toEqual(
        Object.keys(wrong),
      );
  });

  test("a record of another account is rejected, however it is identified", async () => {
    const strange = new RequestBodies(as("stranger"), types);
    const createForeign = async (type: string) => (await strange.make(types.get(type))).id;
    for (const [name, id] of [
      ["ci_id", await createForeign("ci")],
      ["service_instance_id", await createForeign("service_instance")],
      ["template_id", await createForeign("request_template")],
      ["problem_id", await createForeign("problem")],
      ["requested_for_id", 7],
      ["supplier_id", 5],
      ["requested_for", "stella@stranger.example"],
      ["supplier", "Stranger Things"],
    ] as const) {
      const { status, body } = await postEvent({ subject: `theirs ${name}`, [name]: id });
      expect([name, status, body.errors?.[0]?.[0]]).toEqual([name, 422, name.replace(/_id$/, "")]);
    }
    expect((await postEvent({ subject: "theirs team", team: "Strange Team" })).body.team).toBeNull();
  });

  test("an event doesn't let callers set fields of a new request that they can't set otherwise", async () => {
    const rita = as("requester");
    for (const more of [
      { status: "completed", completion_reason: "solved" },
      { internal_note: "psst" },
      { supplier_requestID: "R-1" },
      { waiting_until: "2025-03-05T10:00:00Z" },
      { team: "Service Desk" },
    ])
      expect((await postEvent({ subject: "forbidden", ...more }, rita)).status, JSON.stringify(more)).toBe(403);
    expect((await postEvent({ subject: "allowed", source: "M", sourceID: "1", impact: "low" }, rita)).status).toBe(201);
  });

  test("support_domain names the account for people registered in the directory", async () => {
    const atHome = as("requester", { account: "widget" });
    const { status, body } = await postEvent({ subject: "From home", support_domain: "widget-it" }, atHome);
    expect(status).toBe(201);
    expect((await admin.get(`/requests/${body.id}`)).status).toBe(200);
    expect((await postEvent({ subject: "No", support_domain: "stranger" }, atHome)).status).toBe(403);
    expect((await postEvent({ subject: "No" }, as("stranger", { account: "widget-it" }))).status).toBe(403);
  });
});

describe("a repeated event", () => {
  test("ME4: with a configuration item, it matches by source, service instance and item; a note is added once", async () => {
    const { ci } = await createSupportedItem();
    const members = { subject: "Down", ci: ci.label, source: "M" };
    const one = await postEvent({ ...members, note: "first" });
    const two = await postEvent({ ...members, subject: "Another subject", note: "second", impact: "low" });
    expect([one.status, two.status, two.body.id]).toEqual([201, 200, one.body.id]);
    expect(two.body).toMatchObject({ subject: "Down", impact: "top" });
    expect((await postEvent({ ...members, note: "first" })).status).toBe(200);
    expect(await loadNotes(one.body.id)).toEqual(["first", "second"]);
    expect((await postEvent({ ...members, source: "Other" })).status).toBe(201);
    const { ci: other } = await createSupportedItem();
    expect((await postEvent({ ...members, ci: other.label })).status).toBe(201);
  });

  test("ME5: without one, it matches by subject, note, source and requester", async () => {
    const members = { subject: "Load", note: "high", source: "M" };
    const { id } = (await postEvent(members)).body;
    expect((await postEvent(members)).body.id).toBe(id);
    expect(await loadNotes(id)).toEqual(["high"]);
    for (const differing of [
      { subject: "load" },
      { note: "higher" },
      { note: null },
      { source: "N" },
      { requested_for_id: 5 },
    ])
      expect((await postEvent({ ...members, ...differing })).status, JSON.stringify(differing)).toBe(201);
    const plain = (await postEvent({ subject: "Plain" })).body.id;
    await clock.pass(60);
    await admin.post(`/requests/${plain}/notes`, { text: "I am on it." });
    expect((await postEvent({ subject: "Plain" })).body.id).toBe(plain);
  });

  test("ME6: it changes only status, completion, times, team and member", async () => {
    const { ci } = await createSupportedItem();
    const members = { subject: "Down", ci_id: ci.id, source: "M" };
    const { id } = (await postEvent(members)).body;
    const { body, status } = await postEvent({
      ...members,
      team: "Service Desk",
      member: "sam@widget.example",
      status: "in_progress",
      category: "rfc",
      downtime_start_at: "2025-03-03T07:00:00Z",
    });
    expect([status, body.id]).toEqual([200, id]);
    expect(body).toMatchObject({ status: "in_progress", category: "incident", team: { id: 1 }, member: { id: 3 } });
    const before = (await admin.get(`/requests/${id}`)).body.updated_at;
    await clock.pass(60);
    expect((await postEvent(members)).body.updated_at).toBe(before);
    const done = await postEvent({ ...members, status: "completed", completion_reason: "solved", note: "Up again." });
    expect(done.body).toMatchObject({ id, status: "completed", completion_reason: "solved" });
    expect(await loadNotes(id)).toEqual(["Up again."]);
    const again = await postEvent(members);
    expect([again.status, again.body.id === id]).toEqual([201, false]);
  });

  test("ME7: sourceID isn't compared, and is stored on create", async () => {
    const members = { subject: "Numbered", note: "n", source: "M" };
    const { id } = (await postEvent({ ...members, sourceID: "e-1" })).body;
    const again = await postEvent({ ...members, sourceID: "e-2" });
    expect([again.status, again.body.id, again.body.sourceID]).toEqual([200, id, "e-1"]);
  });

  test("an invalid team or member in a repeated event changes nothing", async () => {
    const { ci, line } = await createSupportedItem();
    const { id } = (await postEvent({ subject: "Down", ci_id: ci.id })).body;
    const later = await postEvent({ subject: "Down", ci_id: ci.id, team: "Nobody", member: "no@body.example" });
    expect([later.status, later.body.id, later.body.team.id]).toEqual([200, id, line.id]);
  });

  test("an event requires request:Create, and request:Update if it changes a request", async () => {
    const { ci } = await createSupportedItem();
    const token = async (...actions: string[]) => {
      const letters = `events-${actions.join("-").replace(/\W/g, "")}`;
      await sql(
        "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', 1, 'personal', $1, $2, $3, now())",
        [letters, hashToken(tokenFor(letters)), JSON.stringify([{ effect: "allow", actions, accounts: [] }])],
      );
      return withToken(tokenFor(letters), { account: "widget-it" });
    };
    const [reader, creator, both] = [
      await token("request:Read"),
      await token("request:Create"),
      await token("request:Create", "request:Update"),
    ];
    const members = { subject: "Scoped", ci_id: ci.id };
    expect((await postEvent(members, reader)).status).toBe(403);
    expect((await postEvent(members, creator)).status).toBe(201);
    expect((await postEvent(members, creator)).status).toBe(200);
    expect((await postEvent({ ...members, note: "more" }, creator)).status).toBe(403);
    expect((await postEvent({ ...members, status: "in_progress", team_id: 1, member_id: 3 }, creator)).status).toBe(
      403,
    );
    expect((await postEvent({ ...members, note: "more" }, both)).status).toBe(200);
  });

  test("ME4: an event after 24 hours creates a new request", async () => {
    const { id } = (await postEvent({ subject: "Daily" })).body;
    await clock.pass(86_399);
    expect((await postEvent({ subject: "Daily" })).body.id).toBe(id);
    await clock.pass(2);
    expect((await postEvent({ subject: "Daily" })).status).toBe(201);
  });

  test("a requester adds to their own request without the right to change it", async () => {
    const requester = as("requester");
    const { ci } = await createSupportedItem();
    const { id } = (await postEvent({ subject: "Mine", ci_id: ci.id }, requester)).body ?? {};
    if (id === undefined) return; // an item that the requester can't read can't be named
    expect((await postEvent({ subject: "Mine", ci_id: ci.id, note: "still" }, requester)).status).toBe(200);
    expect(await loadNotes(id)).toEqual(["still"]);
  });

  test("a burst of a hundred events creates one request", async () => {
    const { ci } = await createSupportedItem();
    for (const members of [
      { subject: "Storm", ci_id: ci.id, note: "n" },
      { subject: "Storm without", note: "n" },
    ]) {
      const replies = await Promise.all(Array.from({ length: 100 }, () => postEvent(members)));
      expect(replies.filter(({ status }) => status > 201).map(({ status }) => status)).toEqual([]);
      expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(99);
      expect(await loadNotes(replies[0]?.body.id)).toEqual(["n"]);
    }
  });
});
