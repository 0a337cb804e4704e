import { expect, test } from "vitest";
import { people, type Role } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Explains a person's rights (D-462): the explanation matches the result of calls.

const the = await world();
const admin = the.as("administrator");

const make = async (path: string, body: object) => {
  const { status, body: record } = await admin.post(path, body);
  expect(status, JSON.stringify(record)).toBeLessThan(300);
  return record;
};
const team = await make("/teams", { name: "Networks" });
await admin.post(`/teams/${team.id}/members/3`);
const own = await make("/requests", {
  subject: "Wireless",
  category: "incident",
  requested_for_id: 5,
  team_id: team.id,
});
const other = await make("/requests", { subject: "Printer", category: "rfi", requested_for_id: 1 });
const mine = await make("/teams", { name: "Desk", manager_id: 9 });
const article = await make("/organizations", { name: "Elsewhere Ltd" });

const explain = async (role: Role, on?: string) =>
  (await admin.get(`/people/${people[role].id}/rights${on === undefined ? "" : `?on=${on}`}`)).body;

test("the explanation matches the results of reading and changing", async () => {
  const records = [
    ["request", "requests", own.id, "subject"],
    ["request", "requests", other.id, "subject"],
    ["team", "teams", mine.id, "name"],
    ["organization", "organizations", article.id, "name"],
    ["person", "people", 5, "name"],
  ] as const;
  const roles: Role[] = ["administrator", "specialist", "manager", "auditor", "requester", "keyContact"];
  for (const [type, collection, id, field] of records)
    for (const role of roles) {
      const rights = await explain(role, `${type}:${id}`);
      const reader = the.as(role, { account: "widget-it" });
      const what = `${role} ${type} ${id}`;
      expect(rights.see.allowed, what).toBe((await reader.get(`/${collection}/${id}`)).status === 200);
      const mayWhole = rights.change.allowed && rights.change.fields === null;
      const { status } = await reader.patch(`/${collection}/${id}`, { [field]: `Again ${role}` });
      expect(mayWhole, `${what} ${status}`).toBe(status === 200);
    }
});

test("each right names its role, condition and fields, and what relates the person to the record", async () => {
  const specialist = await explain("specialist", `request:${own.id}`);
  expect(specialist.change).toEqual({
    ...{ allowed: true, extent: "all", fields: null, needs: [] },
    because: [{ role: "specialist", account: "widget-it", condition: [], fields: null }],
  });
  expect(specialist.ties).toContainEqual({ kind: "team", field: "team", name: "Networks" });
  expect(specialist.not_fields).toEqual(["source", "sourceID"]);
  expect(specialist.archive).toMatchObject({
    allowed: false,
    needs: expect.arrayContaining(["account_administrator"]),
  });
  const requester = await explain("requester", `request:${own.id}`);
  expect(requester.see.because).toEqual([
    {
      role: "everyone",
      account: "widget-it",
      condition: expect.arrayContaining(["field:requested_for"]),
      fields: null,
    },
  ]);
  expect(requester.change.fields).toContain("status");
  expect(requester.ties).toContainEqual({ kind: "field", field: "requested_for", name: null });
  const workflows = await explain("manager", "workflow");
  expect(workflows.change).toMatchObject({ extent: "some", because: [{ condition: ["field:manager"] }] });
  const all = await explain("auditor");
  expect(all.length).toBeGreaterThan(70);
  expect(all.every(({ change }: { change: { allowed: boolean } }) => typeof change.allowed === "boolean")).toBe(true);
});

test("a disabled person has no rights", async () => {
  const { id } = await make("/people", {
    name: "Old Timer",
    primary_email: "old@widget.example",
    organization_id: 1,
    disabled: true,
  });
  const rights = (await admin.get(`/people/${id}/rights?on=request:${own.id}`)).body;
  expect(rights).toMatchObject({ barred: "disabled", see: { allowed: false }, change: { allowed: false } });
});

test("administrators query the rights of people in their accounts, others only their own", async () => {
  const readStatus = async (role: Role, person: number, on = "request") =>
    (
      await the
        .as(role, { account: role === "stranger" ? "stranger" : "widget-it" })
        .get(`/people/${person}/rights?on=${on}`)
    ).status;
  expect(await readStatus("specialist", 3)).toBe(200);
  expect(await readStatus("specialist", 9)).toBe(403);
  expect(await readStatus("auditor", 3)).toBe(403);
  expect(await readStatus("requester", 5)).toBe(200);
  expect(await readStatus("requester", 3)).toBe(403);
  expect(await readStatus("stranger", 3)).toBe(404);
  for (const on of ["nothing", "request:", "request:x", "request:999999999", "request:0", "%00", "request:1:2"])
    expect([400, 404], on).toContain(await readStatus("administrator", 3, on));
  expect((await admin.get("/people/3/rights?other=1")).status).toBe(400);
  expect((await the.nobody.get("/people/3/rights")).status).toBe(401);
});
