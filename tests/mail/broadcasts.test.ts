import { describe, expect, test } from "vitest";
import { EventStream } from "../support/clients/event-stream.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { signInForCookie } from "../support/clients/session-client.ts";
import { describeErrors } from "../support/replies.ts";
import { people, type Role } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type Reply, world } from "../support/world.ts";

// Broadcasts: BC1 to BC5.

const here = await world();
const { as, clock } = here; // it is Monday 2025-03-03, 09:00 in Amsterdam
const admin = as("administrator");
const ids = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);

const createBroadcast = async (members: Record<string, unknown> = {}) => {
  const { status, body, text } = await admin.post("/broadcasts", {
    message: "Hello",
    message_type: "info",
    ...members,
  });
  expect(status, text).toBe(200);
  return { ...body, path: `/broadcasts/${body.id}` };
};

test("a broadcast begins immediately, in its author's time zone, for the whole account", async () => {
  const { message, start_at, end_at, time_zone, visibility, disabled } = await createBroadcast();
  expect({ message, start_at, end_at, time_zone, visibility, disabled }).toEqual({
    message: "Hello",
    start_at: "2025-03-03T09:00:00+01:00",
    end_at: null,
    time_zone: "Amsterdam",
    visibility: "all_of_account",
    disabled: false,
  });
  expect(describeErrors(await admin.post("/broadcasts", {}))).toEqual([
    "message: Message can't be blank",
    "message_type: Message type can't be blank",
  ]);
});

// biome-ignore format: a table keeps its columns
test.each([
  ["begun, without an end",  { },                                                                                    true],
  ["disabled",               { disabled: true },                                                                     false],
  ["to come",                { start_at: "2025-03-03T08:00:01Z" },                                                   false],
  ["not over",               { start_at: "2025-03-01T00:00:00Z", end_at: "2025-03-03T08:00:01Z" },                   true],
  ["over at this moment",    { start_at: "2025-03-01T00:00:00Z", end_at: "2025-03-03T08:00:00Z" },                   false],
])("BC1: a broadcast that is %s is active or inactive", async (_what, members, active) => {
  const { id } = await createBroadcast(members);
  const listIds = async (view: string) => ids(await admin.get(`/broadcasts/${view}?id=${id}`));
  expect([await listIds("active"), await listIds("inactive")]).toEqual(active ? [[id], []] : [[], [id]]);
});

test("BC2: the end must be after the start", async () => {
  const [start_at, same] = ["2025-03-05T10:00:00Z", "2025-03-05T11:00:00+01:00"];
  const reply = await admin.post("/broadcasts", { message: "M", message_type: "info", start_at, end_at: same });
  expect(describeErrors(reply)).toEqual(["end_at: End is not valid"]);
  const { path } = await createBroadcast({ start_at, end_at: "2025-03-05T10:00:01Z" });
  expect(describeErrors(await admin.patch(path, { start_at: "2025-03-06T10:00:00Z" }))).toEqual([
    "end_at: End is not valid",
  ]);
});

test("BC3: times without an offset are in the broadcast's time zone, and 24:00 is the end of the day", async () => {
  const local = { start_at: "2025-03-05T00:00:00", end_at: "2025-03-05T24:00:00" };
  const made = await createBroadcast({ ...local, time_zone: "Kolkata" });
  const expected = { start_at: "2025-03-04T19:30:00+01:00", end_at: "2025-03-05T19:30:00+01:00" };
  expect(made).toMatchObject(expected);
  expect((await admin.patch(made.path, { start_at: "2025-03-05T01:00:00" })).body.start_at).toBe(
    "2025-03-04T20:30:00+01:00",
  );
  expect((await admin.patch(made.path, { start_at: "2025-03-05T01:00:00Z" })).body.start_at).toBe(
    "2025-03-05T02:00:00+01:00",
  );
});

test("a broadcast that ends at midnight ends at 12:00am or 24:00", async () => {
  for (const end_at of ["2025-03-05T24:00", "2025-03-05 12:00am", "2025-03-05T12:00 AM"])
    expect(await createBroadcast({ start_at: "2025-03-05T00:00", end_at, time_zone: "Amsterdam" })).toMatchObject({
      start_at: "2025-03-05T00:00:00+01:00",
      end_at: "2025-03-06T00:00:00+01:00",
    });
  const reply = await admin.post("/broadcasts", { message: "M", message_type: "info", start_at: "2025-03-05 12:00am" });
  expect(describeErrors(reply)).toEqual(["start_at: Start is not a valid datetime"]);
});

describe("BC4: access", () => {
  const requester = as("requester"); // Rita, Widget Sales (3), Amsterdam Office (1), no team
  const isShown = async (client: typeof admin, id: number) =>
    ids(await client.get(`/broadcasts?id=${id}`)).length === 1;

  // biome-ignore format: a table keeps its columns
  test.each([
    [{ visibility: "all_of_account" },                                             true],
    [{ visibility: "all_of_account", disabled: true },                             false],
    [{ visibility: "all_of_account", start_at: "2025-03-04T08:00:00Z" },           false],
    [{ visibility: "account_specialists" },                                        false],
    [{ visibility: "organizations", organization_ids: [3] },                       true],
    [{ visibility: "organizations", organization_ids: [1] },                       false],
    [{ visibility: "organizations" },                                              false],
    [{ visibility: "organizations_and_descendants", organization_ids: [1] },       true],
    [{ visibility: "sites", site_ids: [1] },                                       true],
    [{ visibility: "members_of_teams", team_ids: [1] },                            false],
    [{ visibility: "customers", customer_ids: [1] },                               false],
    [{ visibility: "covered_for_any" },                                            false],
    [{ visibility: "members_of_skill_pools" },                                     false],
  ])("%j is shown to a requester: %s", async (members, expected) => {
    const { id, path } = await createBroadcast(members);
    expect(await isShown(requester, id)).toBe(expected);
    expect((await requester.get(path)).status).toBe(expected ? 200 : 403);
    expect(await isShown(as("specialist"), id)).toBe(true);
    expect((await as("stranger").get(path)).status).toBe(404);
  });

  test("covered_for and covered_for_any follow the SLAs", async () => {
    const createNamed = async (path: string, members: object) =>
      (await admin.post(path, { name: "N", ...members })).body.id;
    const offering = await createNamed("/service_offerings", { service_id: 1 });
    const [instance, other] = [
      await createNamed("/service_instances", { service_id: 1 }),
      await createNamed("/service_instances", { service_id: 1 }),
    ];
    const sla = await createNamed("/slas", {
      service_offering_id: offering,
      service_instance_id: instance,
      customer_id: 1,
      coverage: "people",
      status: "active",
      customer_representative_ids: [6],
    });
    const shown = [
      await createBroadcast({ visibility: "covered_for", service_instance_ids: [instance] }),
      await createBroadcast({ visibility: "covered_for_any" }),
    ];
    const notShown = await createBroadcast({ visibility: "covered_for", service_instance_ids: [other] });
    for (const { id } of shown) expect(await isShown(requester, id)).toBe(false);
    await admin.post(`/slas/${sla}/people/5`);
    for (const { id } of shown) expect(await isShown(requester, id)).toBe(true);
    expect(await isShown(requester, notShown.id)).toBe(false);
  });

  test("lists that the visibility doesn't use are emptied", async () => {
    const { path, teams } = await createBroadcast({ visibility: "members_of_teams", team_ids: [1, 2] });
    expect(teams).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(ids(await admin.get(`${path}/teams/enabled?sort=id`))).toEqual([1, 2]);
    expect((await admin.patch(path, { visibility: "organizations", organization_ids: [3] })).body).toMatchObject({
      teams: [],
      organizations: [{ id: 3 }],
    });
    expect(
      (await admin.patch(path, { visibility: "all_of_account", organization_ids: [3] })).body.organizations,
    ).toEqual([]);
  });

  test("teams, customers and service instances can be linked while the visibility uses them", async () => {
    const { path } = await createBroadcast({ visibility: "members_of_teams" });
    expect((await admin.post(`${path}/teams/1`)).status).toBe(200);
    expect((await admin.get(path)).body.teams).toMatchObject([{ id: 1 }]);
    expect(describeErrors(await admin.post(`${path}/customers/1`))).toEqual(["visibility: Visibility is not valid"]);
    expect((await admin.delete(`${path}/teams/1`)).status).toBe(204);
    expect((await admin.get(path)).body.teams).toEqual([]);
  });
});

describe("BC5: its request", () => {
  const createIncident = async (members: object = {}) =>
    (await admin.post("/requests", { subject: "Mail is down", category: "incident", impact: "high", ...members })).body;
  const createGroup = async () => {
    const [one, other] = [await createIncident(), await createIncident()];
    return (await admin.patch(`/requests/${one.id}`, { grouped_into_id: other.id })).body.grouped_into.id as number;
  };

  test("must be a group", async () => {
    const { id: request_id } = await createIncident();
    expect(
      describeErrors(await admin.post("/broadcasts", { message: "M", message_type: "outage", request_id })),
    ).toEqual(["request: Request is not valid"]);
    const id = await createGroup();
    expect((await createBroadcast({ request_id: id })).request).toMatchObject({ id });
  });

  test("subscribing creates a grouped request for the end user, once", async () => {
    const request_id = await createGroup();
    const { id } = await createBroadcast({ request_id });
    const requester = as("requester");
    const { status, body } = await requester.post(`/broadcasts/${id}/subscribe`);
    expect([status, body]).toMatchObject([
      201,
      {
        grouping: "grouped",
        grouped_into: { id: request_id },
        subject: "Mail is down",
        category: "incident",
        requested_by: { id: 5 },
        requested_for: { id: 5 },
      },
    ]);
    const again = await requester.post(`/broadcasts/${id}/subscribe`);
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    expect((await requester.get(`/requests/${body.id}`)).status).toBe(200);
    expect((await admin.get(`/requests/${request_id}/grouped_requests`)).body).toHaveLength(3);
    await admin.patch(`/requests/${request_id}`, { status: "completed" });
    expect((await requester.get(`/requests/${body.id}`)).body.status).toBe("completed");
    expect((await requester.post(`/broadcasts/${id}/subscribe`)).status).toBe(422);
  });

  test("D-396: completing the group ends the broadcast, or shows it as solved for one more hour", async () => {
    const request_id = await createGroup();
    const outage = { request_id, message_type: "outage", message: "Mail is down" };
    const stays = await createBroadcast(outage);
    const ends = await createBroadcast({ ...outage, end_on_completion: true });
    const solved = await createBroadcast({ ...outage, end_on_completion: true, show_as_solved: true });
    const planned = { ...outage, end_on_completion: true, show_as_solved: true, start_at: "2025-04-01T09:00:00Z" };
    const later = await createBroadcast(planned);
    await admin.patch(`/requests/${request_id}`, { status: "completed" });
    const read = async ({ path }: { path: string }) => {
      const { message_type, disabled, end_at } = (await admin.get(path)).body;
      return [message_type, disabled, end_at === null ? null : Date.parse(end_at) - clock.now().getTime()];
    };
    expect(await read(stays)).toEqual(["outage", false, null]);
    expect(await read(ends)).toEqual(["outage", true, null]);
    expect(await read(solved)).toEqual(["available", false, 3_600_000]);
    expect(await read(later)).toEqual(["outage", true, null]);
    for (const { path } of [stays, solved]) await admin.patch(path, { disabled: true });
  });

  test("people can't subscribe to a broadcast that isn't shown to them, or that has no group", async () => {
    const hidden = await createBroadcast({ request_id: await createGroup(), visibility: "account_specialists" });
    expect((await as("requester").post(`/broadcasts/${hidden.id}/subscribe`)).status).toBe(403);
    const plain = await createBroadcast();
    expect(describeErrors(await admin.post(`/broadcasts/${plain.id}/subscribe`))).toEqual([
      "request: Request can't be blank",
    ]);
  });
});

describe("translations", () => {
  test("the message is the translation for the account's locale, and follows it", async () => {
    const { path, translations } = await createBroadcast({ message: "Hello" });
    expect(translations).toMatchObject([{ locale: "en-US" }]);
    const [own] = translations;
    expect((await admin.get(`${path}/translations/${own.id}`)).body).toMatchObject({
      locale: "en-US",
      message: "Hello",
    });
    await admin.patch(path, { message: "Hi" });
    expect((await admin.get(`${path}/translations/${own.id}`)).body.message).toBe("Hi");
    await admin.patch(`${path}/translations/${own.id}`, { message: "Howdy" });
    expect((await admin.get(path)).body.message).toBe("Howdy");
    await clock.pass(1);
    const dutch = await admin.post(`${path}/translations`, { locale: "nl", message: "Hallo" });
    expect(dutch.status).toBe(201);
    expect((await admin.get(path)).body).toMatchObject({
      message: "Howdy",
      translations: [{ locale: "en-US" }, { id: dutch.body.id, locale: "nl" }],
    });
    expect(ids(await admin.get(`${path}/translations`))[0]).toBe(dutch.body.id);
  });

  test("there is one translation per locale, and every translation but the last can be deleted", async () => {
    const { path } = await createBroadcast();
    const { body } = await admin.post(`${path}/translations`, { locale: "nl", message: "Hallo" });
    expect(describeErrors(await admin.post(`${path}/translations`, { locale: "nl", message: "Dag" }))).toEqual([
      "locale: Locale has already been taken",
    ]);
    expect((await admin.delete(`${path}/translations`)).status).toBe(404);
    expect((await admin.delete(`${path}/translations/${body.id}`)).status).toBe(204);
  });

  test("changing the translation for the account's locale changes the broadcast", async () => {
    const { path, translations } = await createBroadcast({ message: "Hello" });
    await admin.patch(`${path}/translations/${translations[0].id}`, { message: "Howdy" });
    const [last] = (await admin.get(`${path}/audit`)).body;
    expect(last).toMatchObject({ action: "update", changes: { message: ["Hello", "Howdy"] } });
  });

  test("the translation for the account's locale can't be deleted or changed to another locale", async () => {
    const { path, translations } = await createBroadcast();
    const own = `${path}/translations/${translations[0].id}`;
    const refused = ["locale: Locale is not valid"];
    expect(describeErrors(await admin.patch(own, { locale: "nl" }))).toEqual(refused);
    expect(describeErrors(await admin.delete(own))).toEqual(refused);
    expect((await admin.get(own)).body.locale).toBe("en-US");
  });
});

describe("the audience", () => {
  const readers: Role[] = ["administrator", "directoryAdmin", "specialist", "auditor", "requester", "keyContact"];
  const signIn = async (role: Role) => {
    await setPasswords(here, role);
    return signInForCookie(here, role);
  };

  test("BC4: matches the people to whom the broadcast is shown", async () => {
    const { body: instance } = await admin.post("/service_instances", { name: "Mail", service_id: 1 });
    await Promise.all(readers.map(signIn)); // so that all of them are online
    // biome-ignore format: a table keeps its columns
    const audiences = [
      { visibility: "all_of_account" },
      { visibility: "account_specialists" },
      { visibility: "organizations", organization_ids: [2] },
      { visibility: "organizations_and_descendants", organization_ids: [1] },
      { visibility: "sites", site_ids: [1] },
      { visibility: "members_of_teams", team_ids: [1, 2] },
      { visibility: "covered_for_any" },
      { visibility: "covered_for", service_instance_ids: [instance.id] },
      { visibility: "members_of_skill_pools", skill_pool_ids: [1] },
      { visibility: "sites" },
    ];
    for (const audience of audiences) {
      const { status, body } = await admin.post("/broadcasts/audience", audience);
      expect(status, JSON.stringify(audience)).toBe(200);
      const { skill_pool_ids: _, ...saved } = audience;
      const { id, path } = await createBroadcast(saved);
      const shown = await Promise.all(
        readers.map(async (role) =>
          ids(await as(role, { account: "widget-it" }).get("/portal/broadcasts")).includes(id),
        ),
      );
      const reached = readers.filter((_role, at) => shown[at]).map((role) => people[role].id);
      const sample: number[] = body.sample.map((each: { id: number }) => each.id);
      expect(
        readers.map((role) => people[role].id).filter((each) => sample.includes(each)),
        JSON.stringify(audience),
      ).toEqual(reached);
      expect(body.count).toBe(sample.length);
      expect(body.online).toBe(reached.length);
      expect((await admin.get(`${path}/audience`)).body).toEqual({ ...body, seen: 0 });
      await admin.patch(path, { disabled: true });
    }
  });

  test("counts the people who have seen it, each once", async () => {
    const { id, path } = await createBroadcast();
    const countSeen = async () => (await admin.get(`${path}/audience`)).body.seen;
    for (const role of ["requester", "specialist", "requester"] as const)
      expect((await here.as(role).post("/inbox/seen", { type: "broadcast", id })).status).toBe(204);
    expect(await countSeen()).toBe(2);
    await admin.patch(path, { disabled: true });
  });

  test("of an SLA consists of the people it covers, saved or not", async () => {
    const { body: instance } = await admin.post("/service_instances", { name: "Calendar", service_id: 1 });
    const { body: offering } = await admin.post("/service_offerings", { name: "Offering", service_id: 1 });
    const { body: pool } = await admin.post("/skill_pools", { name: "Readers", manager_id: 1 });
    await admin.post(`/skill_pools/${pool.id}/members/5`);
    const lists = { organization_ids: "organizations", site_ids: "sites", person_ids: "people" } as const;
    // biome-ignore format: a table keeps its columns
    const coverages: [Record<string, unknown>, people: number[]][] = [
      [{ coverage: "people", person_ids: [5, 6] },                                   [5, 6]],
      [{ coverage: "organizations", organization_ids: [3] },                         [5]],
      [{ coverage: "organizations_and_descendants", organization_ids: [2, 3] },      [3, 4, 5, 6, 9]],
      [{ coverage: "organizations_and_sites", organization_ids: [3], site_ids: [1] }, [5]],
      [{ coverage: "sites", site_ids: [2] },                                         []],
      [{ coverage: "skill_pools", skill_pool_ids: [pool.id] },                       [5]],
      [{ coverage: "people" },                                                       []],
    ];
    for (const [coverage, expected] of coverages) {
      const { status, body, text } = await admin.post("/slas/audience", coverage);
      expect(status, text).toBe(200);
      expect([coverage, body.sample.map(({ id }: { id: number }) => id).sort()]).toEqual([coverage, expected]);
      expect(body.count).toBe(expected.length);
      const { body: sla } = await admin.post("/slas", {
        ...{ name: "SLA", service_offering_id: offering.id, service_instance_id: instance.id, customer_id: 1 },
        coverage: coverage.coverage,
      });
      for (const [name, list] of Object.entries(lists))
        for (const id of (coverage[name] ?? []) as number[]) await admin.post(`/slas/${sla.id}/${list}/${id}`);
      if (coverage.skill_pool_ids !== undefined) await admin.post(`/slas/${sla.id}/skill_pools/${pool.id}`);
      expect((await admin.get(`/slas/${sla.id}/audience`)).body).toEqual(body);
      expect((await as("specialist").get(`/slas/${sla.id}/audience`)).status).toBe(403);
    }
    expect((await as("specialist").post("/slas/audience", {})).status).toBe(403);
    for (const senseless of [{ coverage: "all" }, { coverage: "people", person_ids: "5" }, { service_instance_id: -1 }])
      expect((await admin.post("/slas/audience", senseless)).status).toBe(422);
  });

  test("of uncovered services lists the people with recent requests that no agreement covers", async () => {
    const { body: service } = await admin.post("/services", { name: "Uncovered", provider_id: 1 });
    const { body: instance } = await admin.post("/service_instances", {
      ...{ name: "Uncovered", service_id: service.id, support_team_id: 1, first_line_team_id: 1 },
    });
    const { body: offering } = await admin.post("/service_offerings", { name: "Some", service_id: service.id });
    for (const requested_for_id of [5, 6]) {
      const { status, text } = await admin.post("/requests", {
        ...{ category: "rfi", subject: "Where?", service_instance_id: instance.id, requested_for_id },
      });
      expect(status, text).toBe(201);
    }
    const path = `/services/${service.id}/uncovered_people`;
    const find = async () => (await admin.get(path)).body.sample.map(({ id }: { id: number }) => id).sort();
    expect(await find()).toEqual([5, 6]);
    const { body: sla, text } = await admin.post("/slas", {
      ...{ name: "For one", service_offering_id: offering.id, service_instance_id: instance.id, customer_id: 1 },
      ...{ coverage: "people", status: "active", customer_representative_ids: [6] },
    });
    expect(sla.id, text).toBeDefined();
    await admin.post(`/slas/${sla.id}/people/5`);
    expect(await find()).toEqual([6]);
    expect((await admin.get(path)).body.count).toBe(1);
    expect((await admin.patch(`/slas/${sla.id}`, { status: "expired" })).body.status).toBe("expired");
    expect(await find()).toEqual([5, 6]);
    expect((await as("specialist").get(path)).status).toBe(403);
    expect((await as("requester").get(path)).status).toBe(403);
    expect((await as("stranger").get(path)).status).toBe(404);
  });

  test("is available to authors of broadcasts, and invalid calls are rejected", async () => {
    const { path } = await createBroadcast();
    for (const role of ["specialist", "requester"] as const) {
      expect((await as(role).get(`${path}/audience`)).status).toBe(403);
      expect((await as(role).post("/broadcasts/audience", {})).status).toBe(403);
    }
    expect((await as("stranger").get(`${path}/audience`)).status).toBe(404);
    expect(describeErrors(await admin.post("/broadcasts/audience", { visibility: "nobody" }))).toEqual([
      "visibility: Visibility is not valid",
    ]);
    for (const site_ids of ["1", [0], ["x"], [{ id: null }], [1.5], [2 ** 40]])
      expect((await admin.post("/broadcasts/audience", { visibility: "sites", site_ids })).status).toBe(422);
  });

  test("BC1: open pages are notified when a broadcast begins or ends by the clock", async () => {
    const stream = await EventStream.open(here, await signIn("requester"), "/accounts/widget-it/stream?topics=inbox");
    await stream.next("ready");
    const { id } = await createBroadcast({ start_at: "2025-03-03T10:00:00Z", end_at: "2025-03-03T11:00:00Z" });
    const countEvents = () => stream.of("broadcast").filter(({ data }) => data.id === id).length;
    const atFirst = countEvents();
    await clock.moveTo("2025-03-03T10:00:00Z");
    await until(() => countEvents() > atFirst);
    const begun = countEvents();
    await clock.moveTo("2025-03-03T11:00:00Z");
    await until(() => countEvents() > begun);
    stream.close();
  });

  test("open pages reload a broadcast when it is translated", async () => {
    const stream = await EventStream.open(here, await signIn("requester"), "/accounts/widget-it/stream?topics=inbox");
    await stream.next("ready");
    const { id, path } = await createBroadcast();
    const count = () => stream.of("broadcast").filter(({ data }) => data.id === id).length;
    await until(() => count() === 1);
    expect((await admin.post(`${path}/translations`, { locale: "nl", message: "Hallo" })).status).toBe(201);
    await until(() => count() === 2);
    stream.close();
  });
});
