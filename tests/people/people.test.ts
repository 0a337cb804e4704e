import { describe, expect, test } from "vitest";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// People, organizations, teams, and confidential fields: AZ13, AZ14.

const { as, sql } = await world();
const admin = as("administrator");
const directory = as("directoryAdmin");
let people = 0;

async function createPerson(members: Record<string, unknown> = {}, by = admin) {
  const { status, body, text } = await by.post("/people", {
    name: "P",
    primary_email: `p${++people}@widget.example`,
    ...members,
  });
  if (status !== 201) throw new Error(text);
  return { ...body, path: `/people/${body.id}` };
}

describe("confidential fields", () => {
  const hidden = { supportID: null, cost_per_hour: null };
  const seen = { supportID: "S-5", cost_per_hour: 87.5 };

  test("supportID and cost_per_hour are hidden from plain specialists, unless they manage the person", async () => {
    const loadConfidential = async (role: Parameters<typeof as>[0], id = 5) =>
      (await as(role).get(`/people/${id}?fields=supportID,cost_per_hour`)).body;
    expect(await loadConfidential("specialist")).toMatchObject(hidden);
    for (const role of ["manager", "administrator", "auditor"] as const)
      expect(await loadConfidential(role)).toMatchObject(seen);
    expect(await loadConfidential("keyContact", 3)).toMatchObject(hidden);
    expect(await loadConfidential("requester")).toMatchObject({ supportID: "S-5", cost_per_hour: null });
    expect((await as("specialist").get("/people/5")).body).toMatchObject(hidden);
    for (const row of (await as("specialist").get("/people?fields=supportID,cost_per_hour&id=!3")).body)
      expect(row).toMatchObject(hidden);
  });

  test("filters don't reveal them", async () => {
    const listIds = async (role: Parameters<typeof as>[0], query: string) =>
      (await as(role).get(`/people?sort=id&${query}`)).body.map((row: { id: number }) => row.id);
    expect(await listIds("administrator", "supportID=s-5")).toEqual([5]);
    expect(await listIds("manager", "supportID=s-5")).toEqual([5]);
    for (const query of ["supportID=s-5", "supportID=!s-3", "supportID="])
      expect(await listIds("specialist", query), query).not.toContain(5);
    expect(await listIds("specialist", "supportID=s-3")).toEqual([3]);
    expect((await as("specialist").get("/people?cost_per_hour=87.5")).status).toBe(400);
  });

  test("the audit trail hides them from people who may not see them", async () => {
    const { path } = await createPerson({ supportID: "TOP-1", cost_per_hour: 99, job_title: "Clerk" });
    const { body, text } = await admin.get(`${path}/audit`);
    expect(body[0].changes).toMatchObject({ supportID: [null, "TOP-1"], job_title: [null, "Clerk"] });
    expect(text).toContain("99");
    const { status, text: seenBySpecialist } = await as("specialist").get(`${path}/audit`);
    if (status === 200) expect(seenBySpecialist).not.toMatch(/TOP-1|99/);
    else expect(status).toBe(403);
  });
});

describe("audit entries", () => {
  test("CV26: an entry shows who changed what, with the old and new value, newest first", async () => {
    const { path } = await createPerson({ job_title: "Clerk", organization_id: 6 });
    await admin.patch(path, { job_title: "Chief", organization_id: null });
    const { body } = await as("auditor").get(`${path}/audit`);
    expect(body.map((line: { action: string }) => line.action)).toEqual(["update", "create"]);
    expect(body[0]).toMatchObject({
      changes: { job_title: ["Clerk", "Chief"] },
      created_by: { id: 1, name: "Ada Admin" },
      user: { id: 1 },
    });
    expect(Object.keys(body[0].changes).sort()).toEqual(["job_title", "organization"]);
    expect(body[1].changes).toMatchObject({ name: [null, "P"], job_title: [null, "Clerk"] });
    expect((await admin.get(`${path}/audit?per_page=1`)).headers.get("X-Pagination-Total-Entries")).toBe("2");
  });

  test("CV26: /audit_lines lists the account's entries without changes, and shows one entry with them, only to overseers", async () => {
    const { id } = await createPerson();
    const { body } = await admin.get("/audit_lines?per_page=1");
    expect(body).toEqual([
      {
        id: expect.any(Number),
        nodeID: expect.any(String),
        action: "create",
        audited: "person",
        person: expect.objectContaining({ id, name: "P" }),
        created_by: expect.objectContaining({ id: 1 }),
        created_at: expect.any(String),
      },
    ]);
    expect((await as("auditor").get(`/audit_lines/${body[0].id}`)).body).toMatchObject({
      ...body[0],
      changes: { name: [null, "P"] },
      user: { id: 1 },
    });
    for (const role of ["specialist", "requester", "keyContact"] as const)
      expect((await as(role).get("/audit_lines")).status, role).toBe(403);
    expect((await as("stranger").get(`/audit_lines/${body[0].id}`)).status).toBe(404);
    for (const method of ["POST", "PATCH", "DELETE"])
      expect((await admin.send(method, method === "POST" ? "/audit_lines" : `/audit_lines/${body[0].id}`)).status).toBe(
        404,
      );
  });
});

describe("permissions", () => {
  const at = (id: number) => `/people/${id}/permissions/widget-it`;

  test("AZ14: roles are added, replaced and revoked per account, and take effect immediately", async () => {
    const { id } = await createPerson();
    expect((await admin.get(`/people/${id}/permissions`)).body).toEqual([]);
    const added = await admin.post(`${at(id)}?roles=specialist,auditor`);
    expect([added.status, added.body]).toEqual([
      200,
      { account: { id: "widget-it", name: "Widget IT" }, roles: ["auditor", "specialist"] },
    ]);
    expect((await admin.get(`/people/${id}/permissions`)).body).toEqual([added.body]);
    expect((await admin.put(at(id), { roles: ["specialist"] })).body.roles).toEqual(["specialist"]);
    expect((await admin.patch(`${at(id)}?roles=key_contact`)).body.roles).toEqual(["key_contact"]);
    expect((await admin.post(at(id), { roles: ["auditor"] })).body.roles).toEqual(["key_contact", "auditor"]);
    expect((await admin.delete(`${at(id)}?roles=key_contact`)).status).toBe(204);
    expect((await admin.get(at(id))).body.roles).toEqual(["auditor"]);
    expect([(await admin.delete(at(id))).status, (await admin.get(at(id))).body.roles]).toEqual([204, []]);
    await admin.post(`${at(id)}?roles=auditor`);
    expect([
      (await admin.delete(`/people/${id}/permissions`)).status,
      (await admin.get(`/people/${id}/permissions`)).body,
    ]).toEqual([204, []]);
    expect((await admin.get(`/people/${id}/audit`)).body[0].changes.roles[1]).toEqual([]);
    const requester = as("requester");
    expect((await requester.get("/teams")).status).toBe(403);
    await admin.post(`${at(5)}?roles=specialist`);
    expect((await requester.get("/teams")).status).toBe(200);
    await admin.delete(`${at(5)}?roles=specialist`);
    expect((await requester.get("/teams")).status).toBe(403);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["administrator", "POST",   "/people/4/permissions/widget-it?roles=bogus",                   400],
    ["administrator", "POST",   "/people/4/permissions/widget-it",                               422],
    ["administrator", "POST",   "/people/4/permissions/widget-it?roles=directory_administrator", 422],
    ["administrator", "POST",   "/people/4/permissions/widget?roles=auditor",                    403],
    ["administrator", "POST",   "/people/4/permissions/stranger?roles=auditor",                  404],
    ["administrator", "POST",   "/people/4/permissions/nowhere?roles=auditor",                   404],
    ["administrator", "POST",   "/people/7/permissions/widget-it?roles=auditor",                 404],
    ["administrator", "DELETE", "/people/1/permissions/widget-it?roles=account_administrator",   403],
    ["administrator", "DELETE", "/people/1/permissions",                                         403],
    ["administrator", "PATCH",  "/people/1/permissions/widget-it?roles=auditor",                 403],
    ["specialist",    "POST",   "/people/3/permissions/widget-it?roles=account_administrator",   403],
    ["requester",     "GET",    "/people/3/permissions",                                         403],
    ["stranger",      "GET",    "/people/3/permissions",                                         404],
    ["directoryAdmin", "POST",  "/people/5/permissions/widget?roles=directory_auditor",          200],
  ] as const)("%s: %s %s gives %i", async (role, method, path, status) => {
    expect((await as(role).send(method, path)).status).toBe(status);
  });

  test("an unknown role in a body is an invalid value, not an invalid parameter: 422", async () => {
    expect(describeErrors(await admin.post(at(4), { roles: ["bogus"] }))).toEqual([expect.stringMatching(/^roles: /)]);
  });
});

describe("contacts and addresses", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["people/4",        "contacts",  { label: "work", telephone: "1" },                 201],
    ["people/4",        "contacts",  { label: "personal", email: "a@b.example" },       201],
    ["people/4",        "contacts",  { label: "chat_teams", chat: "https://x" },        201],
    ["people/4",        "contacts",  { label: "emergency", telephone: "1" },            201],
    ["people/4",        "contacts",  { label: "mobile", email: "a@b.example" },         ["email"]],
    ["people/4",        "contacts",  { label: "work", chat: "x" },                      ["chat"]],
    ["people/4",        "contacts",  { label: "general", telephone: "1" },              ["label"]],
    ["people/4",        "contacts",  { label: "work" },                                 ["base"]],
    ["people/4",        "contacts",  { label: "work", telephone: "1", email: "a@b.c" }, ["base"]],
    ["organizations/6", "contacts",  { label: "service_desk", website: "https://x" },   201],
    ["organizations/6", "contacts",  { label: "work", telephone: "1" },                 ["label"]],
    ["people/4",        "addresses", { label: "home", city: "A" },                      201],
    ["people/4",        "addresses", { label: "street" },                               ["label"]],
    ["organizations/6", "addresses", { label: "billing", zip: "1" },                    201],
    ["organizations/6", "addresses", { label: "home" },                                 ["label"]],
    ["organizations/6", "addresses", { label: "shipping" },                             ["label"]],
  ])("/%s/%s accepts the members that its label allows: %j", async (owner, children, body, expected) => {
    const reply = await admin.post(`/${owner}/${children}`, body);
    expect(reply.status === 201 ? 201 : reply.body.errors.map(([field]: [string]) => field)).toEqual(expected);
  });

  test("unused members are omitted, and the entries are in their owner's response", async () => {
    const { path } = await createPerson();
    const { body } = await admin.post(`${path}/contacts`, { label: "work", telephone: "12", integration: true });
    expect(body).toEqual({
      id: body.id,
      nodeID: expect.any(String),
      label: "work",
      telephone: "12",
      integration: true,
    });
    await admin.post(`${path}/addresses`, { label: "home", city: "Delft" });
    const shown = (await admin.get(path)).body;
    expect(shown.contacts).toMatchObject([{ label: "work", telephone: "12" }]);
    expect(shown.addresses).toMatchObject([{ label: "home", city: "Delft", zip: null }]);
    expect(Object.keys((await admin.get(`${path}/contacts`)).body[0])).toEqual(["id", "nodeID", "label", "telephone"]);
  });

  test("an entry belongs to its owner's account, whichever account the call was made in", async () => {
    const { body } = await as("directoryAdmin", { account: "widget-it" }).post("/people/5/contacts", {
      label: "home",
      telephone: "77",
    });
    const path = `/people/5/contacts/${body.id}`;
    expect((await directory.get(path)).body).toEqual({
      id: body.id,
      nodeID: body.nodeID,
      label: "home",
      telephone: "77",
      integration: false,
    });
    expect((await directory.get("/people/5/contacts")).body[0].account).toBeUndefined();
    expect((await directory.delete(path)).status).toBe(204);
  });
});

describe("organizations and teams", () => {
  const createOrganization = async (members: Record<string, unknown>, by = directory) =>
    (await by.post("/organizations", { name: "O", ...members })).body;

  test("a chain of parents may not contain a cycle", async () => {
    const top = await createOrganization({});
    const middle = await createOrganization({ parent_id: top.id });
    const low = await createOrganization({ parent_id: middle.id });
    for (const [child, parent] of [
      [top.id, low.id],
      [top.id, top.id],
      [middle.id, low.id],
    ])
      expect(describeErrors(await directory.patch(`/organizations/${child}`, { parent_id: parent }))).toEqual([
        expect.stringMatching(/^parent: /),
      ]);
    expect((await directory.get(`/organizations/${top.id}/children`)).body).toMatchObject([{ id: middle.id }]);
  });

  test("an organization belongs to the nearest business unit above it, and inherits its region", async () => {
    const unit = await createOrganization({ name: "Unit", parent_id: 1, business_unit: true, region: "North" });
    expect(unit).toMatchObject({ business_unit_organization: { id: unit.id }, region: "North" });
    const child = await createOrganization({ parent_id: unit.id });
    expect(child).toMatchObject({ business_unit_organization: { id: unit.id }, region: "North" });
    const outside = await createOrganization({ parent_id: 1 });
    const moved = await directory.patch(`/organizations/${outside.id}`, { parent_id: child.id });
    expect(moved.body).toMatchObject({ business_unit_organization: { id: unit.id }, region: "North" });
    await directory.patch(`/organizations/${unit.id}`, { region: "South" });
    for (const { id } of [child, outside])
      expect((await directory.get(`/organizations/${id}`)).body.region).toBe("South");
    await directory.patch(`/organizations/${child.id}`, { business_unit: true });
    expect((await directory.get(`/organizations/${outside.id}`)).body.business_unit_organization.id).toBe(child.id);
  });

  test("business_unit is for internal organizations, region for business units", async () => {
    expect(
      describeErrors(await directory.post("/organizations", { name: "O", business_unit: true, region: "N" })),
    ).toEqual([expect.stringMatching(/^business_unit: /), expect.stringMatching(/^region: /)]);
    expect(describeErrors(await admin.patch("/organizations/6", { region: "N" }))).toEqual([
      expect.stringMatching(/^region: /),
    ]);
    expect(describeErrors(await directory.post("/organizations", { name: "O", parent_id: 1, region: "N" }))).toEqual([
      expect.stringMatching(/^region: /),
    ]);
  });

  test("validation uses the changed values: an organization moved inside may be a business unit", async () => {
    const { id } = await createOrganization({});
    expect((await directory.patch(`/organizations/${id}`, { parent_id: 1, business_unit: true })).body).toMatchObject({
      business_unit: true,
    });
    expect(describeErrors(await directory.patch(`/organizations/${id}`, { parent_id: null }))).toEqual([
      expect.stringMatching(/^business_unit: /),
    ]);
  });

  test("views separate internal, external, trusted and managed organizations", async () => {
    const names = async (view: string) =>
      (await admin.get(`/organizations/${view}?per_page=100`)).body.map((row: { name: string }) => row.name);
    const mine = await createOrganization({ name: "Mine", substitute_id: 1 }, admin);
    expect(await names("internal")).toEqual(expect.arrayContaining(["Widget International", "Widget Sales"]));
    expect(await names("internal")).not.toContain("Printer Supplier");
    expect(await names("external")).toContain("Printer Supplier");
    expect(await names("managed_by_me")).toEqual(["Mine"]);
    expect(await names("trusted")).not.toContain("Stranger Things");
    expect((await admin.get("/organizations/3/people")).body).toMatchObject([{ id: 5 }]);
    expect(mine.substitute.id).toBe(1);
  });

  test("only administrators of the directory account change directory records", async () => {
    expect((await admin.patch("/people/5", { job_title: "x" })).status).toBe(403);
    expect((await directory.patch("/people/5", { job_title: "x" })).status).toBe(200);
    expect((await directory.get("/teams")).status).toBe(403);
    const { path } = await createPerson({ disabled: true }, directory);
    expect((await directory.post(`${path}/archive`)).body.archived).toBe(true);
    expect((await directory.get("/archive")).body).toMatchObject([{ archived: "person" }]);
  });

  test("people who may change a directory record from a support domain may read it there, too", async () => {
    const visiting = as("directoryAdmin", { account: "widget-it" });
    const [read, change] = [await visiting.get("/people/5"), await visiting.patch("/people/5", { location: "desk" })];
    expect(read.status).toBe(change.status);
  });

  test("a coordinator must be a member; managers edit their team, members set its coordinator, others nothing", async () => {
    const { body: team } = await admin.post("/teams", { name: "T", manager_id: 9 });
    const path = `/teams/${team.id}`;
    expect(describeErrors(await admin.patch(path, { coordinator_id: 4 }))).toEqual([
      "coordinator: Coordinator must be a member of the team",
    ]);
    const specialist = as("specialist");
    expect((await specialist.patch(path, { coordinator_id: 3 })).status).toBe(403);
    await admin.post(`${path}/members/3`);
    expect((await as("manager").patch(path, { remarks: "edited" })).status).toBe(200);
    expect((await specialist.patch(path, { remarks: "mine" })).status).toBe(403);
    expect((await specialist.patch(path, { coordinator_id: 3 })).body?.coordinator).toMatchObject({ id: 3 });
  });

  test("a new person gets the account's defaults", async () => {
    expect(await createPerson()).toMatchObject({
      locale: "en-US",
      time_zone: "Amsterdam",
      time_format_24h: true,
      send_email_notifications: "always",
    });
    expect(describeErrors(await admin.post("/people", { name: "P" }))).toEqual([
      "primary_email: Primary email can't be blank",
    ]);
  });
});

describe("accounts that trust each other", () => {
  const specialist = as("specialist");

  test("the organization of a trusted account can be read with its account, and nothing else of it", async () => {
    const { status, body } = await specialist.get("/organizations/4");
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Provider Services", account: { id: "provider", name: "Provider Services" } });
    expect((await specialist.get("/organizations/trusted")).body.map(({ id }: { id: number }) => id)).toEqual([4]);
    expect((await specialist.get("/people/8")).status).toBe(404);
    expect((await specialist.get("/organizations/5")).status).toBe(404);
  });

  test("it can be referenced, but not changed", async () => {
    const name = `Kept by others ${Date.parse("2025-03-03")}`;
    const made = await admin.post("/services", { name, provider_id: 4 });
    expect(made.status).toBe(201);
    expect(made.body.provider).toMatchObject({ id: 4, account: { id: "provider" } });
    expect((await admin.patch("/organizations/4", { name: "Taken over" })).status).toBe(403);
    expect(describeErrors(await admin.post("/services", { name, provider_id: 5 }))).toEqual([
      "provider: Provider is not valid",
    ]);
  });

  test("when the trust ends, so does the access", async () => {
    await sql("UPDATE account_trusts SET status = 'canceled' WHERE account_id = 'widget-it'");
    await expect.poll(async () => (await specialist.get("/organizations/4")).status).toBe(404);
    expect((await specialist.get("/organizations/trusted")).body).toEqual([]);
    await sql("UPDATE account_trusts SET status = 'accepted' WHERE account_id = 'widget-it'");
  });
});
