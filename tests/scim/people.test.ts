import { describe, expect, test } from "vitest";
import { enableProvisioning, enterprise, patchOp, runDueRules, scimClient } from "../support/scim/scim-client.ts";
import { loggedErrors, world } from "../support/world.ts";

// The people, organizations and sites that rules create and update from SCIM users and groups.

const here = await world({ env: { SCIM_RATE_LIMIT: "0", SCIM_RATE_BURST: "0" } });
const { as, sql } = here;
const admin = as("administrator");
const token = await enableProvisioning(admin);
const scim = scimClient(here, token);
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent; tests look at single members
type Body = any;

const loadUserRecord = async (id: string): Promise<Body> => (await admin.get(`/scim_users/${id}`)).body;
/** Returns the person that rules created from a user, or null. */
async function loadPerson(id: string): Promise<Body> {
  await runDueRules(here);
  const { person, last_error } = await loadUserRecord(id);
  expect(last_error).toBe(null);
  return person === null ? null : (await admin.get(`/people/${person.id}`)).body;
}
const create = async (path: string, members: Record<string, unknown>): Promise<Body> => {
  const { status, body, text } = await admin.post(path, members);
  expect(status, text).toBe(201);
  return body;
};

describe("people from users", () => {
  test("a new address creates one person, a known one is linked", async () => {
    const user = await scim.user({ userName: "new@widget.example", displayName: "Nora New", title: "Clerk" });
    const person = await loadPerson(user.id);
    expect(person).toMatchObject({
      ...{ name: "Nora New", primary_email: "new@widget.example", job_title: "Clerk", disabled: false, vip: false },
      ...{ source: "SCIM", sourceID: user.id, organization: { id: 1 }, site: null },
    });
    const known = await create("/people", {
      name: "Otto Old",
      primary_email: "otto@widget.example",
      job_title: "Boss",
      organization_id: 6,
    });
    const linked = await scim.user({
      userName: "otto",
      emails: [{ value: "x@y.example" }, { value: "OTTO@widget.example", primary: true }],
    });
    expect(await loadPerson(linked.id)).toMatchObject({
      id: known.id,
      name: "otto",
      job_title: "Boss",
      organization: { id: 6 },
    });
    const [count] = await sql(
      "SELECT count(*) FROM people WHERE lower(primary_email) IN ('new@widget.example', 'otto@widget.example')",
    );
    expect(Number(count?.count)).toBe(2);
    // Once linked, another address changes the person but not the link.
    await scim.put(`/Users/${user.id}`, { userName: "nora@widget.example" });
    expect(await loadPerson(user.id)).toMatchObject({ id: person.id, primary_email: "nora@widget.example" });
  });

  test("the name is the first attribute that isn't empty", async () => {
    const names = [
      [
        {
          userName: "n1@widget.example",
          displayName: "Display",
          name: { formatted: "F", givenName: "G", familyName: "Y" },
        },
        "Display",
      ],
      [{ userName: "n2", name: { formatted: "Formatted" }, emails: [{ value: "n2@widget.example" }] }, "n2"],
      [{ userName: "n3@widget.example", name: { formatted: "Formatted", givenName: "G" } }, "Formatted"],
      [{ userName: "n4@widget.example", name: { givenName: "Given", familyName: "Family" } }, "Given Family"],
    ] as const;
    const users = [];
    for (const [members] of names) users.push(await scim.user(members));
    for (const [at, [, name]] of names.entries()) expect((await loadPerson(users[at].id)).name).toBe(name);
    // No person is created without a name or an address.
    const bare = await scim.user({ userName: "n5@widget.example" });
    const away = await scim.user({ userName: "n6", displayName: "No Address" });
    expect([await loadPerson(bare.id), await loadPerson(away.id)]).toEqual([null, null]);
    await scim.put(`/Users/${bare.id}`, { displayName: "Named later" });
    expect((await loadPerson(bare.id)).name).toBe("Named later");
  });

  test("the mapping sets supplied values, and skips blank ones", async () => {
    const boss = await scim.user({ userName: "boss@widget.example", displayName: "Boss" });
    const closed = await create("/organizations", { name: "Closed Ltd", disabled: true });
    const place = await create("/sites", { name: "Rotterdam Office" });
    const user = await scim.user({
      ...{
        userName: "map@widget.example",
        displayName: "Map",
        title: "Analyst",
        userType: "Employee, VIP",
        locale: "nl_NL",
        timezone: "Europe/Amsterdam",
      },
      [enterprise]: {
        ...{
          organization: "Printer Supplier",
          site: "Rotterdam Office",
          location: "Room 7",
          employeeNumber: "E-1",
          supportID: "S-99",
        },
        manager: { value: boss.id },
      },
    });
    const bossPerson = await loadPerson(boss.id);
    await admin.post(`/scim_users/${user.id}/process`);
    const first = await loadPerson(user.id);
    expect(first).toMatchObject({
      ...{ job_title: "Analyst", location: "Room 7", employeeID: "E-1", supportID: "S-99", vip: true, locale: "nl" },
      ...{ organization: { id: 6 }, site: { id: place.id }, manager: { id: bossPerson.id } },
    });
    await scim.put(`/Users/${user.id}`, {
      ...{ title: "", userType: "", locale: "de-DE", timezone: "America/New_York" },
      [enterprise]: {
        organization: "Closed Ltd",
        site: "",
        location: "",
        employeeNumber: "",
        supportID: "",
        manager: "",
      },
    });
    const second = await loadPerson(user.id);
    const { updated_at: _, ...kept } = first;
    expect(second).toMatchObject(kept);
    expect(closed.disabled).toBe(true);
    await scim.put(`/Users/${user.id}`, { userType: "Employee", [enterprise]: { manager: { value: boss.id } } });
    expect(await loadPerson(user.id)).toMatchObject({ vip: false, manager: { id: bossPerson.id } });
    await scim.put(`/Users/${boss.id}`, { active: false });
    await admin.post(`/scim_users/${user.id}/process`);
    expect((await loadPerson(user.id)).manager).toBe(null);
  });

  test("the provider's contacts and addresses are replaced, manually entered ones are kept", async () => {
    const user = await scim.user({
      ...{ userName: "contact@widget.example", displayName: "Contact" },
      emails: [
        { value: "contact@widget.example", type: "work", primary: true },
        { value: "private@home.example", type: "home" },
      ],
      phoneNumbers: [
        { value: "+31 6 1", type: "mobile" },
        { value: "+31 20 2", type: "work" },
      ],
      addresses: [{ type: "work", streetAddress: "Dam 1", locality: "Amsterdam", postalCode: "1012", country: "NL" }],
    });
    const person = await loadPerson(user.id);
    const loadEntries = async (name: string, ...members: string[]) =>
      (await admin.get(`/people/${person.id}/${name}`)).body.map((entry: Record<string, unknown>) =>
        members.map((member) => entry[member] ?? null),
      );
    expect(await loadEntries("contacts", "label", "telephone", "email")).toEqual([
      ["mobile", "+31 6 1", null],
      ["work", "+31 20 2", null],
      ["personal", null, "private@home.example"],
    ]);
    expect(await loadEntries("addresses", "label", "address", "city", "zip")).toEqual([
      ["mailing", "Dam 1", "Amsterdam", "1012"],
    ]);
    await create(`/people/${person.id}/contacts`, { label: "emergency", telephone: "112" });
    await scim.patch(
      `/Users/${user.id}`,
      patchOp({ op: "remove", path: 'phoneNumbers[type eq "mobile"]' }, { op: "remove", path: "addresses" }),
    );
    await runDueRules(here);
    expect((await loadEntries("contacts", "label", "telephone", "email")).toSorted()).toEqual([
      ["emergency", "112", null],
      ["personal", null, "private@home.example"],
      ["work", "+31 20 2", null],
    ]);
    expect(await loadEntries("addresses", "label")).toEqual([]);
  });

  test("rules can read custom fields in both forms", async () => {
    const urn = "urn:ietf:params:scim:schemas:extension:4me:1.0:custom_fields";
    const rule = await create("/automation_rules", {
      ...{
        name: "Payroll",
        generic: "scim_user",
        trigger: "on update",
        position: 5,
        condition: "custom_fields.payroll_id",
      },
      actions: "a1: update person set employeeID = custom_fields.payroll_id",
    });
    const one = await scim.user({
      userName: "pay1@widget.example",
      displayName: "Pay",
      [urn]: { payroll_id: "P-1" },
      strange: { attribute: 1 },
    });
    const two = await scim.user({
      userName: "pay2@widget.example",
      displayName: "Pay",
      [urn]: { custom_fields: [{ id: "payroll_id", value: "P-2" }] },
    });
    expect((await loadPerson(one.id)).employeeID).toBe("P-1");
    expect((await loadPerson(two.id)).employeeID).toBe("P-2");
    expect((await admin.delete(`/automation_rules/${rule.id}`)).status).toBe(204);
  });
});

describe("deactivation and deletion", () => {
  test("deactivation ends sessions and tokens immediately, and activation restores access", async () => {
    const user = await scim.user({ userName: "leaver@widget.example", displayName: "Lea Leaver" });
    const { id: person } = await loadPerson(user.id);
    const { body } = await admin.get("/me");
    expect(body.id).toBe(1);
    const secret = "leaver".padEnd(112, "x");
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update(secret).digest("hex");
    const scopes = JSON.stringify([{ effect: "allow", actions: ["*:*"], accounts: [] }]);
    for (const [kind, stored] of [
      ["personal", hash],
      ["access", `a${hash.slice(1)}`],
      ["refresh", `b${hash.slice(1)}`],
    ])
      await sql(
        "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ('widget-it', $1, $2, 'test', $3, $4, now())",
        [person, kind, stored, scopes],
      );
    await sql(
      "INSERT INTO sessions (account_id, person_id, secret_hash, created_at, last_seen_at, idle_expires_at, expires_at, user_agent, address) VALUES ('widget-it', $1, 'x', now(), now(), now() + interval '1 day', now() + interval '1 day', '', '')",
      [person],
    );
    const leaver = here.withToken(secret, { account: "widget-it" });
    expect((await leaver.get("/me")).status).toBe(200);
    expect(
      (await scim.patch(`/Users/${user.id}`, patchOp({ op: "Replace", path: "active", value: "False" }))).status,
    ).toBe(200);
    // No rule has run yet.
    expect((await leaver.get("/me")).status).toBe(401);
    const left = await sql(
      "SELECT kind FROM tokens WHERE person_id = $1 UNION ALL SELECT 'session' FROM sessions WHERE person_id = $1",
      [person],
    );
    expect(left).toEqual([{ kind: "personal" }]);
    expect((await scim.get(`/Users/${user.id}`)).body.active).toBe(false);
    expect((await loadPerson(user.id)).disabled).toBe(true);
    await scim.patch(`/Users/${user.id}`, { active: true });
    expect((await loadPerson(user.id)).disabled).toBe(false);
    expect((await leaver.get("/me")).status).toBe(200);
  });

  test("a deleted user is hidden from clients, visible to administrators, and restored when created again", async () => {
    const user = await scim.user({ userName: "back@widget.example", displayName: "Back", externalId: "back" });
    const group = await scim.group({ displayName: "Leavers", members: [{ value: user.id }] });
    const person = await loadPerson(user.id);
    expect((await scim.remove(`/Users/${user.id}`)).status).toBe(204);
    expect((await scim.remove(`/Users/${user.id}`)).status).toBe(404);
    expect((await scim.get(`/Users/${user.id}`)).status).toBe(404);
    expect(await scim.found("/Users", 'userName eq "back@widget.example"')).toEqual([]);
    expect((await scim.get(`/Groups/${group.id}`)).body).not.toHaveProperty("members");
    expect((await loadPerson(user.id)).disabled).toBe(true);
    expect(await loadUserRecord(user.id)).toMatchObject({ deleted: true, active: false, person: { id: person.id } });
    const again = await scim.user({ userName: "Back@widget.example", displayName: "Back again" });
    expect([again.id, again.active]).toEqual([user.id, true]);
    expect(await loadPerson(user.id)).toMatchObject({ id: person.id, name: "Back again", disabled: false });
  });

  test("the account's owner is never disabled", async () => {
    const user = await scim.user({ userName: "ada@widget.example", displayName: "Ada Admin", active: false });
    expect(await loadPerson(user.id)).toMatchObject({ id: 1, disabled: false });
    expect((await admin.get("/me")).status).toBe(200);
  });
});

describe("groups", () => {
  test("a group with an organization's name is linked to it, and so are its members", async () => {
    const own = await create("/organizations", { name: "Field Service" });
    const user = await scim.user({ userName: "member@widget.example", displayName: "Member" });
    expect((await loadPerson(user.id)).organization.id).toBe(1);
    const group = await scim.group({ displayName: "Field Service", members: [{ value: user.id }] });
    await runDueRules(here);
    expect((await admin.get(`/scim_groups/${group.id}`)).body).toMatchObject({
      classification: "organization",
      organization: { id: own.id },
      last_error: null,
    });
    expect((await loadPerson(user.id)).organization.id).toBe(own.id);
    await scim.put(`/Groups/${group.id}`, { displayName: "Field Services" });
    await runDueRules(here);
    expect((await admin.get(`/organizations/${own.id}`)).body.name).toBe("Field Services");
    const before = (await loadUserRecord(user.id)).processed_at;
    await here.clock.pass(5);
    await scim.patch(`/Groups/${group.id}`, patchOp({ op: "remove", path: `members[value eq "${user.id}"]` }));
    await runDueRules(here);
    expect((await loadUserRecord(user.id)).processed_at).not.toBe(before);
    const other = await scim.group({ displayName: "Nothing like it" });
    await runDueRules(here);
    expect((await admin.get(`/scim_groups/${other.id}`)).body).toMatchObject({
      classification: "unclassified",
      last_error: null,
    });
  });

  test("an administrator reruns a group's rules once its organization exists", async () => {
    const group = await scim.group({ displayName: "Later Organization" });
    await runDueRules(here);
    const own = await create("/organizations", { name: "Later Organization" });
    expect((await admin.post(`/scim_groups/${group.id}/process`)).status).toBe(204);
    await runDueRules(here);
    expect((await admin.get(`/scim_groups/${group.id}`)).body).toMatchObject({
      classification: "organization",
      organization: { id: own.id },
    });
  });
});

describe("concurrent calls", () => {
  test("users created together become people together, even if the rules fail for one of them", async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        scim.user({ userName: `many${n}@widget.example`, displayName: n === 7 ? "x".repeat(200) : `Many ${n}` }),
      ),
    );
    expect(new Set(users.map(({ id }) => id)).size).toBe(12);
    await runDueRules(here);
    const rows = await sql<{ user_name: string; person_id: number | null; last_error: string | null }>(
      "SELECT user_name, person_id, last_error FROM scim_users WHERE user_name LIKE 'many%'",
    );
    expect(rows.filter(({ last_error }) => last_error !== null).map(({ user_name }) => user_name)).toEqual([
      "many7@widget.example",
    ]);
    expect(new Set(rows.map(({ person_id }) => person_id)).size).toBe(12); // one of them has none
    const [lines] = await sql(
      "SELECT count(*)::int AS n FROM audit_lines WHERE audited = 'scim_user' AND action = 'create' AND record_id = ANY($1::integer[])",
      [users.map(({ id }) => Number(id))],
    );
    expect(lines?.n).toBe(12);
    // Concurrent calls with the same name create one user and reject the other call.
    const twice = await Promise.all(["Twin", "twin"].map((name) => scim.post("/Users", { userName: name })));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("a user who becomes a person later is then set as manager", async () => {
    const [boss, report] = [
      await scim.user({ userName: "later" }),
      await scim.user({ userName: "report@widget.example" }),
    ];
    await scim.patch(`/Users/${report.id}`, {
      displayName: "Rita Report",
      [enterprise]: { manager: { value: boss.id } },
    });
    expect(await loadPerson(report.id)).toMatchObject({ name: "Rita Report", manager: null });
    await scim.patch(`/Users/${boss.id}`, { userName: "later@widget.example", displayName: "Lara Later" });
    const { id } = await loadPerson(boss.id);
    expect(await loadPerson(report.id)).toMatchObject({ manager: { id } });
  });
});

describe("rules", () => {
  test("a dry run of a rule with a user or a group stores nothing", async () => {
    const user = await scim.user({ userName: "dry@widget.example", displayName: "Drew Dry", active: true });
    await here.service.scimWorker.stop();
    const { body: rules } = await admin.get("/automation_rules/for_scim_users");
    const { body: rule } = await admin.get(`/automation_rules/${rules[0].id}`);
    const fresh = await scim.user({ userName: "fresh@widget.example", displayName: "Fay Fresh" });
    const tried = await admin.post("/automation_rule_dry_run", { ...rule, record_id: Number(fresh.id) });
    expect([tried.status, tried.body.outcome, tried.body.error], tried.text).toEqual([200, "done", null]);
    expect(tried.body.expressions).toContainEqual({ name: "address", value: "fresh@widget.example", error: null });
    expect(tried.body.actions.join()).toContain("Fay Fresh");
    expect(await sql("SELECT 1 FROM people WHERE primary_email = 'fresh@widget.example'")).toEqual([]);
    const changed = await admin.post("/automation_rule_dry_run", {
      ...{ generic: "scim_user", trigger: "on update", record_id: Number(user.id) },
      actions: "a1: update person set location = 'Nowhere'",
    });
    expect([changed.status, changed.body.outcome], changed.text).toEqual([200, "done"]);
    expect((await sql("SELECT 1 FROM people WHERE location = 'Nowhere'")).length).toBe(0);
    const group = await scim.group({ displayName: "Dry group" });
    const classified = await admin.post("/automation_rule_dry_run", {
      ...{ generic: "scim_group", trigger: "on update", record_id: Number(group.id) },
      actions: "a1: set classification = 'site'",
    });
    expect([classified.status, classified.body.outcome], classified.text).toEqual([200, "done"]);
    expect((await admin.get(`/scim_groups/${group.id}`)).body.classification).toBe("unclassified");
    here.service.scimWorker.start();
    await runDueRules(here);
  });

  test("a changed rule runs for everyone; deleting all rules restores the default; a failing one is shown", async () => {
    const user = await scim.user({ userName: "rule@widget.example", displayName: "Rule" });
    const person = await loadPerson(user.id);
    const list = async () =>
      (await admin.get("/automation_rules/for_scim_users")).body as { id: number; name: string }[];
    const rule = await create("/automation_rules", {
      name: "Place",
      generic: "scim_user",
      trigger: "on update",
      position: 9,
      condition: "person",
      actions: "a1: update person set location = 'Everywhere'",
    });
    expect((await loadPerson(user.id)).location).toBe("Everywhere");
    await admin.patch(`/automation_rules/${rule.id}`, {
      actions: "a1: update person set primary_email = 'no address'",
    });
    await runDueRules(here);
    expect((await loadUserRecord(user.id)).last_error).toMatch(/^Place: /);
    expect((await admin.get("/scim_users/failed?per_page=100")).body.map(({ id }: { id: number }) => id)).toContain(
      Number(user.id),
    );
    const state = (await admin.get("/scim")).body;
    expect(state.users.failed).toBeGreaterThan(0);
    expect(
      state.runs.some(
        ({ outcome, rule_name }: Record<string, string>) => outcome === "failed" && rule_name === "Place",
      ),
    ).toBe(true);
    for (const { id } of await list()) expect((await admin.delete(`/automation_rules/${id}`)).status).toBe(204);
    await runDueRules(here);
    expect((await list()).map(({ name }) => name)).toEqual(["Person of a SCIM user"]);
    expect(await loadPerson(user.id)).toMatchObject({ id: person.id, primary_email: "rule@widget.example" });
  });
});

describe("known clients", () => {
  test("Entra: connection test, creation, updates, groups, deactivation", async () => {
    const probe = await scim.get(`/Users?filter=userName+eq+"${"0".repeat(8)}-1f2a-4c1e-9d0a-8c1f0a2b3c4d"`);
    expect([probe.status, probe.body.totalResults, probe.body.Resources]).toEqual([200, 0, []]);
    expect(
      (await scim.get('/Groups?excludedAttributes=members&filter=displayName eq "nothing"')).body.totalResults,
    ).toBe(0);
    const created = await scim.post("/Users", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", enterprise],
      ...{ externalId: "0a21f0f2", userName: "Test_User@widget.example", active: true, displayName: "Entra User" },
      emails: [{ primary: true, type: "work", value: "Test_User@widget.example" }],
      meta: { resourceType: "User" },
      name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
      roles: [],
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await scim.post("/Users", { userName: "test_user@widget.example" })).status).toBe(409);
    expect(await scim.found("/Users", 'externalId eq "0a21f0f2"')).toEqual([id]);
    expect(await scim.found("/Users", 'emails[type eq "work"].value eq "test_user@widget.example"')).toEqual([id]);
    const update = await scim.patch(
      `/Users/${id}`,
      patchOp(
        { op: "Replace", path: 'emails[type eq "work"].value', value: "updated@widget.example" },
        { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
        { op: "Add", path: `${enterprise}:manager`, value: "1" },
        { op: "Replace", path: "title", value: "" },
      ),
    );
    expect(update.body).toMatchObject({
      emails: [{ value: "updated@widget.example" }],
      name: { familyName: "updatedFamilyName" },
    });
    const newer = {
      op: "replace",
      value: { "name.givenName": "N", [`${enterprise}:department`]: "D", displayName: "Newer" },
    };
    expect((await scim.patch(`/Users/${id}`, patchOp(newer))).body).toMatchObject({
      name: { givenName: "N" },
      displayName: "Newer",
    });
    const group = await scim.group({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      externalId: "8aa1a0c0",
      displayName: "Entra Group",
      members: [],
      meta: { resourceType: "Group" },
    });
    expect(
      (
        await scim.patch(
          `/Groups/${group.id}`,
          patchOp({ op: "Add", path: "members", value: [{ $ref: null, value: id }] }),
        )
      ).status,
    ).toBe(200);
    expect(
      (
        await scim.patch(
          `/Groups/${group.id}`,
          patchOp({ op: "Remove", path: "members", value: [{ $ref: null, value: id }] }),
        )
      ).status,
    ).toBe(200);
    expect((await scim.get(`/Groups/${group.id}?excludedAttributes=members`)).body).not.toHaveProperty("members");
    expect(
      (await scim.patch(`/Users/${id}`, patchOp({ op: "Replace", path: "active", value: "False" }))).body.active,
    ).toBe(false);
    expect((await scim.remove(`/Users/${id}`)).status).toBe(204);
    expect((await scim.patch(`/Users/${id}`, patchOp({ op: "Replace", path: "active", value: "False" }))).status).toBe(
      404,
    );
  });

  test("Okta: connection test, import, creation, PUT of the resource read, deactivation, groups", async () => {
    const list = (await scim.get("/Users?startIndex=1&count=2")).body;
    expect([typeof list.totalResults, list.itemsPerPage, list.startIndex]).toEqual(["number", 2, 1]);
    expect((await scim.get("/Groups?startIndex=1&count=100")).body.itemsPerPage).toBeLessThanOrEqual(25);
    expect((await scim.get("/Users/random-id")).status).toBe(404);
    const user = await scim.user({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      ...{
        userName: "okta.user@widget.example",
        externalId: "00ujl29u0le5T6Aj10h7",
        locale: "en-US",
        groups: [],
        password: "1mz050nq",
        active: true,
      },
      name: { givenName: "Okta", familyName: "User" },
      emails: [{ primary: true, value: "okta.user@widget.example", type: "work" }],
      displayName: "Okta User",
    });
    const read = (await scim.get(`/Users/${user.id}`)).body;
    const put = await scim.put(`/Users/${user.id}`, {
      ...read,
      name: { givenName: "Another", familyName: "User" },
      displayName: "Another User",
    });
    expect([put.status, put.body.displayName, put.body.id]).toEqual([200, "Another User", user.id]);
    const off = await scim.patch(`/Users/${user.id}`, patchOp({ op: "replace", value: { active: false } }));
    expect(off.body.active).toBe(false);
    expect((await loadPerson(user.id)).disabled).toBe(true);
    const group = await scim.group({
      displayName: "Test SCIMv2",
      members: [{ value: user.id, display: "okta.user@widget.example" }],
    });
    expect(
      (
        await scim.patch(
          `/Groups/${group.id}`,
          patchOp({ op: "replace", value: { id: group.id, displayName: "Renamed" } }),
        )
      ).body.displayName,
    ).toBe("Renamed");
    expect(
      (await scim.patch(`/Groups/${group.id}`, patchOp({ op: "remove", path: `members[value eq "${user.id}"]` }))).body,
    ).not.toHaveProperty("members");
    const whole = await scim.patch(
      `/Groups/${group.id}`,
      patchOp({ op: "replace", path: "members", value: [{ value: user.id }] }),
    );
    expect(whole.body.members).toHaveLength(1);
    expect((await scim.remove(`/Groups/${group.id}`)).status).toBe(204);
  });

  test("repeating a push creates no duplicates and causes no errors", async () => {
    const push = (at: number) =>
      scim.post("/Users", { userName: `push${at}@widget.example`, displayName: `Push ${at}` });
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => push(at % 20)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(201), ...Array(20).fill(409)]);
    await runDueRules(here);
    const [row] = await sql("SELECT count(*) FROM people WHERE primary_email LIKE 'push%'");
    expect(Number(row?.count)).toBe(20);
    expect(loggedErrors(here.log)).toEqual([]);
  });
});
