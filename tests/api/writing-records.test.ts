import { describe, expect, test } from "vitest";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

const { as, clock, sql } = await world();
const admin = as("administrator");

async function createSpecimen(members: Record<string, unknown> = {}) {
  const { status, body, text } = await admin.post("/specimens", { subject: "s", ...members });
  if (status !== 200) throw new Error(text);
  return { ...body, path: `/specimens/${body.id}` };
}

describe("input forms", () => {
  // biome-ignore format: a table keeps its columns
  const forms: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ["a reference as <name>_id",           { team_id: 1 },                         { team: { id: 1 } }],
    ["a reference as a plain id",          { team: 1 },                            { team: { id: 1 } }],
    ["a reference as text",                { team: "1" },                          { team: { id: 1 } }],
    ["a reference as an object",           { team: { id: 1, name: "ignored" } },   { team: { id: 1 } }],
    ["many references as _ids",            { team_ids: [2, 1, 2] },                { teams: [{ id: 1 }, { id: 2 }] }],
    ["many references as objects",         { teams: [{ id: 2 }] },                 { teams: [{ id: 2 }] }],
    ["booleans as words",                  { flag: "Yes", maybe: "off" },          { flag: true, maybe: false }],
    ["booleans as numbers",                { flag: 1, maybe: "0" },                { flag: true, maybe: false }],
    ["any other word as false",            { flag: "banana" },                     { flag: false }],
    ["numbers as text",                    { count: "12", price: "87.50", ratio: "0.5" }, { count: 12, price: 87.5, ratio: 0.5 }],
    ["text as numbers",                    { subject: 12, sourceID: true },        { subject: "12", sourceID: "true" }],
    ["a duration as hhh:mm",               { length: "1:45" },                     { length: 105 }],
    ["a duration as minutes",              { length: "90" },                       { length: 90 }],
    ["a time of day",                      { clock: "24:00" },                     { clock: "24:00" }],
    ["a time zone by its name",            { zone: "Eastern Time (US & Canada)" }, { zone: "Eastern Time (US & Canada)" }],
    ["a time zone by its IANA name",       { zone: "America/New_York" },           { zone: "Eastern Time (US & Canada)" }],
    ["a datetime with an offset",          { moment: "2031-07-01T12:00:00-02:00" }, { moment: "2031-07-01T16:00:00+02:00" }],
    ["a datetime without seconds",         { moment: "2031-07-01T12:00Z" },        { moment: "2031-07-01T14:00:00+02:00" }],
    ["a datetime in the caller's zone",    { moment: "2031-01-01T12:00:00" },      { moment: "2031-01-01T12:00:00+01:00" }],
    ["a target as a token",                { goal: "clock_stopped" },              { goal: "clock_stopped" }],
    ["custom fields as an array",          { custom_fields: [{ id: "a", value: 1 }] }, { custom_fields: { a: 1 } }],
  ];
  test.each(forms)("CV9: the server reads %s", async (_title, members, expected) => {
    expect(await createSpecimen(members)).toMatchObject(expected);
  });

  test("CV9: null and the empty text clear a field", async () => {
    const set = {
      team_id: 1,
      priority: "low",
      long: "x",
      count: 5,
      price: 1,
      day: "2031-01-01",
      moment: "2031-01-01T00:00:00Z",
      names: ["a"],
      custom_fields: { a: 1 },
      extra: { b: 1 },
      teams: [1],
      maybe: true,
    };
    for (const blank of [null, ""]) {
      const { path } = await createSpecimen(set);
      const { status, body } = await admin.patch(
        path,
        Object.fromEntries(Object.keys(set).map((name) => [name, blank])),
      );
      expect(status).toBe(200);
      const shown = Object.fromEntries(
        Object.keys(set).map((name) => [name.replace("_id", ""), name === "teams" ? [] : null]),
      );
      expect(body).toMatchObject(shown);
      expect(describeErrors(await admin.patch(path, { subject: blank }))).toEqual(["subject: Subject can't be blank"]);
    }
  });

  test("integers reject numbers with an exponent or a fraction", async () => {
    const { path } = await createSpecimen();
    for (const body of ['{"count":1e1}', '{"count":1.5}', '{"team_id":1e0}', '{"count":9007199254740993}'])
      expect((await admin.patch(path, body)).status, body).toBe(422);
    expect((await admin.patch(path, '{"price":12345678901234567.10}')).text).toContain('"price":12345678901234567.10,');
  });

  test("CV4: members come from JSON, a form, form parts or the query, and the body wins", async () => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await admin.post("/teams", "name=By+form&disabled=yes", form)).body).toMatchObject({
      name: "By form",
      disabled: true,
    });
    const parts = new FormData();
    parts.set("name", "By parts");
    parts.set("auto_assign", "true");
    expect((await admin.post("/teams", parts)).body).toMatchObject({ name: "By parts", auto_assign: true });
    expect((await admin.post("/teams?name=By%20query&remarks=r")).body).toMatchObject({
      name: "By query",
      remarks: "r",
    });
    expect((await admin.post("/teams?name=By%20query&remarks=r", { name: "By body" })).body).toMatchObject({
      name: "By body",
      remarks: "r",
    });
    expect((await admin.post("/teams?name=Empty", "", { "Content-Type": "application/json" })).status).toBe(201);
    expect(
      (await admin.post("/specimens", "subject=f&team_ids[]=1&team_ids[]=2&custom_fields[a]=1", form)).body,
    ).toMatchObject({ teams: [{ id: 1 }, { id: 2 }], custom_fields: { a: "1" } });
  });

  test("CV4: a body that isn't JSON is rejected with 400 and changes nothing", async () => {
    for (const body of ["{", '{"name":}', "[1", "{'name': 'x'}"])
      expect(await admin.patch("/teams/1", body)).toMatchObject({
        status: 400,
        body: { message: "Invalid JSON string posted" },
      });
    for (const body of ["[]", "5", '"x"']) expect((await admin.patch("/teams/1", body)).status).toBe(400);
    expect((await admin.get("/teams/1")).body.name).toBe("Service Desk");
  });

  test("a value that is already taken is rejected with 422, whatever its case", async () => {
    await createSpecimen({ secret: "Only one" });
    expect(describeErrors(await admin.post("/specimens", { subject: "s", secret: "only ONE" }))).toEqual([
      "secret: Secret has already been taken",
    ]);
    expect(describeErrors(await admin.post("/people", { name: "Twin", primary_email: "SAM@widget.example" }))).toEqual([
      "primary_email: Primary email has already been taken",
    ]);
    const { body } = await admin.post("/people", { name: "Twin", primary_email: "twin@widget.example" });
    expect(describeErrors(await admin.patch(`/people/${body.id}`, { primary_email: "sam@widget.example" }))).toEqual([
      "primary_email: Primary email has already been taken",
    ]);
    expect((await as("stranger").post("/people", { name: "Sam", primary_email: "sam@widget.example" })).status).toBe(
      201,
    );
  });

  test("CV10: a disabled record can't be referenced again, and existing references remain", async () => {
    const { body: team } = await admin.post("/teams", { name: "Going" });
    const { path } = await createSpecimen({ team_id: team.id, teams: [team.id] });
    await admin.patch(`/teams/${team.id}`, { disabled: true });
    expect(describeErrors(await admin.post("/specimens", { subject: "s", team_id: team.id }))).toEqual([
      "team: Team is not valid",
    ]);
    expect(describeErrors(await admin.post("/specimens", { subject: "s", teams: [1, team.id] }))).toEqual([
      "teams: Teams is not valid",
    ]);
    expect((await admin.patch(path, { team_id: team.id, teams: [team.id, 1], count: 1 })).status).toBe(200);
  });

  test("CV8: custom fields that the call doesn't name keep their value", async () => {
    const { path } = await createSpecimen({ custom_fields: { a: 1, b: { z: 1, a: 2 } } });
    expect((await admin.patch(path, { custom_fields: { c: 3 } })).body.custom_fields).toEqual({
      a: 1,
      b: { z: 1, a: 2 },
      c: 3,
    });
    expect((await admin.patch(path, { custom_fields: [{ id: "a", value: null }] })).body.custom_fields).toEqual({
      a: null,
      b: { z: 1, a: 2 },
      c: 3,
    });
  });

  test("an object with its members in another order is the same value, so nothing changes", async () => {
    const { path, updated_at } = await createSpecimen({
      extra: { zeta: 1, b: { y: 1, xx: 2 } },
      custom_fields: { a: { zeta: 1, b: 2 } },
    });
    await clock.pass(60);
    const { body } = await admin.patch(path, {
      extra: { zeta: 1, b: { y: 1, xx: 2 } },
      custom_fields: { a: { zeta: 1, b: 2 } },
    });
    expect(body.updated_at).toBe(updated_at);
    expect((await admin.get(`${path}/audit`)).body).toHaveLength(1);
  });

  test("a member that can be written only on creation is ignored later, and named", async () => {
    const { path } = await createSpecimen({ owner_id: 3 });
    const { body, headers } = await admin.patch(path, { owner_id: 4, count: 2 });
    expect([body.owner.id, body.count, headers.get("X-Ignored-Fields")]).toEqual([3, 2, "owner_id"]);
  });

  test("a reference is the name in lower case with underscores, and changes with it", async () => {
    const { body } = await admin.post("/project_categories", { name: "Big Projects - North" });
    expect(body.reference).toBe("big_projects_north");
    expect((await admin.patch(`/project_categories/${body.id}`, { name: "Small" })).body.reference).toBe("small");
    expect((await admin.get("/project_categories?reference=SMALL&name=sMALL")).body).toMatchObject([{ id: body.id }]);
  });

  test("a survey response is dated by year and month in the account's time zone", async () => {
    await clock.moveTo("2025-12-31T23:30:00Z");
    const { body: survey } = await admin.post("/surveys", { name: "How was it?" });
    const { body } = await admin.post("/survey_responses", { survey_id: survey.id, service_id: 1, rating: "4.50" });
    expect(body).toMatchObject({ year: 2026, month: 1, responded_at: "2026-01-01T00:30:00+01:00", completed: false });
    expect(describeErrors(await admin.post("/survey_responses", { survey_id: survey.id }))).toEqual([
      "service: Service can't be blank",
    ]);
  });

  test("87.5 equals 87.50: writing a decimal back in another notation changes nothing", async () => {
    const { path } = await createSpecimen({ price: "87.50" });
    await admin.patch(path, { price: 87.5 });
    expect((await admin.get(path)).text).toContain('"price":87.50,');
    expect((await admin.get(`${path}/audit`)).body).toHaveLength(1);
  });

  test("CV17: only administrators change source and sourceID, even if others may change the record", async () => {
    const { body: team } = await admin.post("/teams", { name: "Sam's", manager_id: 3, sourceID: "A" });
    const specialist = as("specialist");
    expect((await specialist.patch(`/teams/${team.id}`, { remarks: "mine", sourceID: "A" })).status).toBe(200);
    for (const members of [{ sourceID: "B" }, { source: "B" }, { sourceID: null }])
      expect((await specialist.patch(`/teams/${team.id}`, members)).status).toBe(403);
    expect((await admin.patch(`/teams/${team.id}`, { sourceID: "B" })).body.sourceID).toBe("B");
  });
});

describe("lifecycle of a specimen", () => {
  test("it begins in its initial state, follows its transitions, and rejects all others", async () => {
    const { path, status, assignment_count } = await createSpecimen();
    expect([status, assignment_count]).toEqual(["registered", null]);
    expect(describeErrors(await admin.patch(path, { status: "completed" }))).toEqual(["status: Status is not valid"]);
    expect(describeErrors(await admin.patch(path, { status: "declined" }))).toEqual([
      "status: Status is not included in the list",
    ]);
    await clock.moveTo("2025-03-04T08:00:00Z");
    const assigned = await admin.patch(path, { status: "assigned" });
    expect(assigned.body).toMatchObject({
      status: "assigned",
      assigned_at: "2025-03-04T09:00:00+01:00",
      assignment_count: 1,
    });
    const again = await admin.patch(path, { status: "assigned" });
    expect(again.body).toMatchObject({ assignment_count: 1, updated_at: assigned.body.updated_at });
    const done = await admin.patch(path, { status: "completed", long: "a note" });
    expect(done.body).toMatchObject({
      status: "completed",
      finished_at: "2025-03-04T09:00:00+01:00",
      flag: true,
      mark: "done by a rule",
    });
    expect((await admin.patch(path, { status: "assigned" })).body).toMatchObject({
      finished_at: null,
      assignment_count: 2,
    });
  });

  test("a transition has no effects without its condition, and doesn't overwrite values that the caller sets", async () => {
    const { path } = await createSpecimen({ status: "assigned" });
    await admin.patch(path, { status: "completed" });
    expect((await admin.get(path)).body).toMatchObject({ mark: null, finished_at: null });
    const other = await createSpecimen({ status: "assigned", flag: true });
    expect((await admin.patch(other.path, { status: "completed", long: "n", flag: false })).body).toMatchObject({
      flag: false,
      mark: "done by a rule",
    });
  });

  test("a change of state and team publishes an event for each, then the update, with the previous status", async () => {
    const { path, id } = await createSpecimen();
    await admin.patch(path, { status: "assigned", team_id: 1 });
    const events = await sql(
      "SELECT event, payload->>'status' AS status, payload->>'previous_status' AS previous FROM events WHERE record_type = 'specimen' AND record_id = $1 ORDER BY id",
      [id],
    );
    expect(events.map(({ event }) => event)).toEqual([
      "specimen.create",
      "specimen.status-changed",
      "specimen.team-changed",
      "specimen.update",
    ]);
    expect(events[1]).toMatchObject({ status: "assigned", previous: "registered" });
  });
});

describe("links", () => {
  test("CV27: linking returns {}, even twice; unlinking an unlinked record returns 404; both ends share one link", async () => {
    const { body: team } = await admin.post("/teams", { name: "Linked" });
    const members = `/teams/${team.id}/members`;
    for (let i = 0; i < 2; i++) expect(await admin.post(`${members}/3`)).toMatchObject({ status: 200, text: "{}" });
    expect(await admin.post(`/people/4/teams/${team.id}`)).toMatchObject({ status: 200, text: "{}" });
    const ids = async (path: string) => (await admin.get(path)).body.map((row: { id: number }) => row.id);
    expect(await ids(`${members}?sort=id`)).toEqual([3, 4]);
    expect(await ids("/people/3/teams?sort=name")).toEqual([team.id, 1]);
    expect(await ids(`${members}/disabled`)).toEqual([]);
    expect(await ids(`${members}/enabled?name=Sam%20Specialist`)).toEqual([3]);
    expect(await admin.delete(`/people/3/teams/${team.id}`)).toMatchObject({ status: 204, text: "" });
    expect(await admin.delete(`${members}/3`)).toMatchObject({ status: 404, body: { message: "Not Found" } });
    expect((await admin.post(`${members}/7`)).status).toBe(404);
    expect((await as("specialist").post(`${members}/3`)).status).toBe(403);
    expect([(await admin.delete(members)).status, await ids(members), (await admin.get("/people/4")).status]).toEqual([
      204,
      [],
      200,
    ]);
    expect((await admin.get(`/teams/${team.id}/audit`)).body.length).toBeGreaterThan(2);
  });

  test("records of one type link to each other, by nodeID too", async () => {
    const [one, other] = [await createSpecimen(), await createSpecimen()];
    expect((await admin.post(`/specimens/${one.nodeID}/relatives/${other.nodeID}`)).status).toBe(200);
    expect((await admin.get(`${one.path}/relatives`)).body).toMatchObject([{ id: other.id, subject: "s" }]);
    expect((await admin.delete(`${one.path}/relatives/${other.id}`)).status).toBe(204);
  });
});

describe("owned children", () => {
  test("CV28: children are created, read, changed and removed below their owner, and nowhere else", async () => {
    const { path, id } = await createSpecimen();
    const spots = `${path}/spots`;
    const { status, body } = await admin.post(spots, { name: "one" });
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        nodeID: expect.any(String),
        name: "one",
        color: null,
        specimen: expect.objectContaining({ id }),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await admin.get(`${spots}/${body.id}`)).body).toEqual(body);
    expect((await admin.get(spots)).body).toEqual([{ id: body.id, nodeID: body.nodeID, name: "one", color: null }]);
    expect((await admin.patch(`${spots}/${body.id}`, { color: "red" })).body).toMatchObject({
      name: "one",
      color: "red",
    });
    expect((await admin.put(`${spots}/${body.id}`, { name: "two" })).body).toMatchObject({ name: "two", color: "red" });
    const other = await createSpecimen();
    for (const method of ["GET", "PATCH", "DELETE"])
      expect(
        (await admin.send(method, `${other.path}/spots/${body.id}`, method === "PATCH" ? {} : undefined)).status,
      ).toBe(404);
    expect((await admin.get("/spots")).status).toBe(404);
    for (const method of ["POST", "PATCH", "DELETE"]) {
      const target = method === "POST" ? spots : `${spots}/${body.id}`;
      expect(
        (await as("specialist").send(method, target, method === "DELETE" ? undefined : { name: "x" })).status,
      ).toBe(403);
    }
    expect((await as("specialist").get(spots)).status).toBe(200);
    expect((await admin.delete(`${spots}/${body.id}`)).status).toBe(204);
    await admin.post(spots, { name: "a" });
    await admin.post(spots, { name: "b" });
    expect([(await admin.delete(spots)).status, (await admin.get(spots)).text]).toEqual([204, "[]"]);
  });

  test("a disabled owner can still get children", async () => {
    const { path } = await createSpecimen({ disabled: true });
    const { status, text } = await admin.post(`${path}/spots`, { name: "a" });
    expect([status, text]).toEqual([201, expect.stringContaining('"name":"a"')]);
  });

  test("deleting an owner deletes its children", async () => {
    const { path, id } = await createSpecimen();
    await admin.post(`${path}/spots`, { name: "a" });
    expect((await admin.delete(path)).status).toBe(204);
    expect(await sql("SELECT 1 FROM spots WHERE specimen_id = $1", [id])).toEqual([]);
    const events = await sql("SELECT event FROM events WHERE record_type = 'specimen' AND record_id = $1 ORDER BY id", [
      id,
    ]);
    expect(events).toEqual([{ event: "specimen.create" }, { event: "specimen.delete" }]);
  });
});
