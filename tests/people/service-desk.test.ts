import { beforeAll, expect, test } from "vitest";
import { world } from "../support/world.ts";

// Looking up callers by telephone number.

const { as, sql } = await world();
const admin = as("administrator");
const analyst = as("specialist");
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

beforeAll(async () => {
  await sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', 3, 'service_desk_analyst', now())",
  );
  await admin.post("/people/4/contacts", { label: "work", telephone: "+31 (0)20 123-4567" });
  await admin.post("/people/9/contacts", { label: "mobile", telephone: "310201234567" });
  await admin.post("/people/1/contacts", { label: "fax", telephone: "310201234567" });
});

test("a number is found in any notation, among work, mobile and home numbers", async () => {
  const { status, body } = await analyst.get(`/sd?telephone=${encodeURIComponent("+31 (0) 20 1234567")}`);
  expect([status, ids(body).sort()]).toEqual([200, [4, 9]]);
  expect(body[0]).toMatchObject({ primary_email: expect.any(String), contacts: expect.any(Array) });
  expect((await analyst.get("/sd?telephone=999")).body).toEqual([]);
});

test("a lookup requires a telephone number and the role of a service desk analyst", async () => {
  for (const query of ["", "?telephone=", "?telephone=abc"])
    expect((await analyst.get(`/sd${query}`)).status).toBe(400);
  for (const role of ["administrator", "auditor", "requester"] as const)
    expect((await as(role).get("/sd?telephone=310201234567")).status, role).toBe(403);
});

test("at most ten people are returned", async () => {
  for (let number = 0; number < 11; number++) {
    const { body } = await admin.post("/people", { name: `N${number}`, primary_email: `n${number}@widget.example` });
    await admin.post(`/people/${body.id}/contacts`, { label: "home", telephone: "555-01" });
  }
  expect((await analyst.get("/sd?telephone=55501")).body).toHaveLength(10);
});

test("the local part of a team's address is unique within the account", async () => {
  const team = (inbound_email_local_part: string, by = admin) =>
    by.post("/teams", { name: "T", inbound_email_local_part });
  expect((await team("desk")).status).toBe(201);
  expect((await team("Desk")).body.errors).toEqual([["inbound_email_local_part", expect.stringContaining("taken")]]);
  expect((await team("desk", as("stranger"))).status).toBe(201);
});
