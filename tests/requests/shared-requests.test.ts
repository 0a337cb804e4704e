import { describe, expect, test } from "vitest";
import { graphqlClient } from "../support/clients/graphql-client.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { networksTeam, serviceDeskTeam } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { until } from "../support/waiting.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type Reply, world } from "../support/world.ts";

// Requests that several accounts work on: AZ16.

const the = await world();
const { as, sql, service, clock } = the;
const customer = as("administrator");
const provider = as("provider");
const specialist = as("providerSpecialist");
const bodies = new RequestBodies(provider, service.engine.types);

const theirDesk = await createTeam(provider, "Provider Desk", 8, 10);
const theirField = await createTeam(provider, "Field Engineers", 10);

async function createTeam(by: Client, name: string, ...members: number[]): Promise<number> {
  const { body } = await by.post("/teams", { name });
  for (const member of members) await by.post(`/teams/${body.id}/members/${member}`);
  return body.id;
}
async function request(members: Record<string, unknown> = {}) {
  const { status, body, text } = await customer.post("/requests", { category: "incident", ...members });
  if (status !== 201) throw new Error(text);
  return `/requests/${body.id}`;
}
const createShared = (members: Record<string, unknown> = {}) => request({ team_id: theirDesk, ...members });
const load = async (by: Client, path: string) => (await by.get(path)).body;
const loadBoth = async (path: string) => ({ here: await load(customer, path), there: await load(specialist, path) });
const parseId = (path: string) => Number(path.split("/").at(-1));
const succeed = async (reply: Promise<Reply>) => {
  const { status, text, body } = await reply;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
};
const byNumber = (one: number, other: number) => one - other;
const listIds = async (by: Client, path: string): Promise<number[]> =>
  (await by.get(path)).body.map((row: { id: number }) => row.id);

describe("a request given to a team of a trusted account", () => {
  test("AZ16: is in both accounts, with each account's own values", async () => {
    const path = await createShared({ subject: "Screen is dark" });
    const later = "2025-03-03T09:00:00Z";
    await clock.moveTo(later);
    const { here, there } = await loadBoth(path);
    expect(here).toMatchObject({
      status: "assigned",
      team: { id: theirDesk, name: "Provider Desk", account: { id: "provider", name: "Provider Services" } },
      assignment_count: 0,
    });
    expect(here).not.toHaveProperty("account");
    expect(there).toMatchObject({
      account: { id: "widget-it", name: "Widget IT" },
      subject: "Screen is dark",
      status: "assigned",
      new_assignment: true,
      assignment_count: 1,
      reopen_count: 0,
      member: null,
      completed_at: null,
      next_target_at: "best_effort",
    });
    expect(there.team).toMatchObject({ id: theirDesk, name: "Provider Desk" });
    expect(there.team).not.toHaveProperty("account");
    expect(there.requested_by).toMatchObject({ id: 1, account: { id: "widget-it" } });
  });

  test("the provider's changes of these fields stay in its account; the other fields are shared", async () => {
    const path = await createShared({ subject: "Slow" });
    const changed = await succeed(
      specialist.patch(path, {
        status: "in_progress",
        member_id: 10,
        supplier_requestID: "SUP-1",
        subject: "Very slow",
        impact: "high",
      }),
    );
    expect(changed).toMatchObject({ status: "in_progress", member: { id: 10 }, account: { id: "widget-it" } });
    const { here, there } = await loadBoth(path);
    expect(there).toMatchObject({
      status: "in_progress",
      member: { id: 10 },
      supplier_requestID: "SUP-1",
      new_assignment: false,
    });
    expect(here).toMatchObject({
      status: "assigned",
      member: null,
      supplier_requestID: null,
      new_assignment: true,
      subject: "Very slow",
      impact: "high",
    });
    await succeed(customer.patch(path, { status: "waiting_for_customer", impact: "low" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "waiting_for_customer", impact: "low" },
      there: { status: "in_progress", impact: "low" },
    });
  });

  test("RQ22: each account counts the assignments to its teams", async () => {
    const path = await request({ team_id: serviceDeskTeam });
    expect(await load(customer, path)).toMatchObject({ assignment_count: 1 });
    expect((await specialist.get(path)).status).toBe(404);
    await succeed(customer.patch(path, { team_id: theirDesk }));
    expect(await loadBoth(path)).toMatchObject({ here: { assignment_count: 1 }, there: { assignment_count: 1 } });
    await succeed(specialist.patch(path, { team_id: theirField, member_id: 10 }));
    expect(await loadBoth(path)).toMatchObject({
      here: { assignment_count: 1, team: { id: theirDesk } },
      there: { assignment_count: 2, team: { id: theirField }, member: { id: 10 } },
    });
    // After returning it, the provider can't reassign it.
    await succeed(specialist.patch(path, { team_id: networksTeam }));
    expect(await loadBoth(path)).toMatchObject({
      here: { assignment_count: 2, team: { id: networksTeam }, status: "assigned" },
      there: { assignment_count: 2, team: { id: networksTeam, account: { id: "widget-it" } }, member: null },
    });
    await succeed(customer.patch(path, { team_id: theirField }));
    await succeed(customer.patch(path, { team_id: serviceDeskTeam }));
    expect(await loadBoth(path)).toMatchObject({
      here: { assignment_count: 3, team: { id: serviceDeskTeam } },
      there: { assignment_count: 3, team: { id: serviceDeskTeam }, status: "assigned" },
    });
  });

  test("teams of untrusted accounts and members of the other account are rejected", async () => {
    const path = await createShared();
    expect(describeErrors(await customer.patch(path, { team_id: 3 }))).toEqual(["team: Team is not valid"]);
    expect(describeErrors(await customer.patch(path, { member_id: 10 }))).toContain("member: Assignee is not valid");
    expect(describeErrors(await specialist.patch(path, { member_id: 3 }))).toContain("member: Assignee is not valid");
    expect(describeErrors(await as("stranger").post("/requests", { category: "other", team_id: theirDesk }))).toEqual([
      "team: Team is not valid",
    ]);
  });

  test("times count from the arrival in the account: created_at, waiting_until", async () => {
    const path = await request({ team_id: serviceDeskTeam });
    const registered = (await load(customer, path)).created_at;
    await clock.pass(3600);
    await succeed(customer.patch(path, { team_id: theirDesk }));
    const until = new Date(clock.now().getTime() + 7_200_000).toISOString();
    await succeed(specialist.patch(path, { status: "waiting_for", member_id: 10, waiting_until: until }));
    const { here, there } = await loadBoth(path);
    expect(here).toMatchObject({ created_at: registered, waiting_until: null, status: "assigned" });
    expect(Date.parse(there.created_at)).toBe(Date.parse(registered) + 3_600_000);
    expect(Date.parse(there.waiting_until)).toBe(Date.parse(until));
    await succeed(customer.patch(path, { status: "in_progress", team_id: serviceDeskTeam, member_id: 3 }));
    await succeed(customer.patch(path, { team_id: theirDesk }));
    await succeed(
      specialist.patch(path, {
        status: "waiting_for",
        member_id: 10,
        waiting_until: new Date(clock.now().getTime() + 3_600_000).toISOString(),
      }),
    );
    await clock.pass(3601);
    expect(await loadBoth(path)).toMatchObject({ there: { status: "assigned", waiting_until: null } });
  });

  test("targets are shared, but next_target_at is per account", async () => {
    const path = await createShared();
    await succeed(customer.patch(path, { desired_completion_at: "2025-04-01T12:00:00Z" }));
    const { here, there } = await loadBoth(path);
    expect(Date.parse(here.next_target_at)).toBe(Date.parse("2025-04-01T12:00:00Z"));
    expect(Date.parse(there.next_target_at)).toBe(Date.parse("2025-04-01T12:00:00Z"));
    await succeed(customer.patch(path, { team_id: serviceDeskTeam }));
    await succeed(specialist.patch(path, { status: "completed", team_id: theirDesk, member_id: 10 }));
    expect(await load(specialist, path)).toMatchObject({ next_target_at: null });
  });
});

describe("other features with shared requests", () => {
  test("the clocks of the customer's agreements follow the customer's status and the shared values", async () => {
    const { agreed } = serviceAgreements(customer);
    const { instance } = await agreed({
      response_target_low: 60,
      resolution_target_low: 240,
      response_target_high: 30,
      resolution_target_high: 120,
    });
    await customer.patch(`/service_instances/${instance.id}`, {
      support_team_id: theirDesk,
      first_line_team_id: theirDesk,
    });
    const path = await request({ service_instance_id: instance.id, requested_for_id: 5, impact: "low" });
    const started = await loadBoth(path);
    expect(started.here.team.id).toBe(theirDesk);
    expect(Date.parse(started.here.next_target_at)).toBe(clock.now().getTime() + 3_600_000);
    expect(Date.parse(started.there.next_target_at)).toBe(clock.now().getTime() + 3_600_000);
    await succeed(specialist.patch(path, { impact: "high" }));
    const raised = await loadBoth(path);
    expect(Date.parse(raised.here.next_target_at)).toBe(clock.now().getTime() + 1_800_000);
    expect(Date.parse(raised.there.next_target_at)).toBe(clock.now().getTime() + 1_800_000);
    expect((await customer.get(`${path}/affected_slas`)).body).toMatchObject([{ impact: "high" }]);
    await succeed(specialist.patch(path, { status: "completed", member_id: 10 }));
    const [sla] = (await customer.get(`${path}/affected_slas`)).body;
    expect((await customer.get(`/affected_slas/${sla.id}`)).body.actual_resolution_at).not.toBeNull();
  });

  test("a requester's reply ends the provider's waiting", async () => {
    const path = await createShared({ requested_for_id: 5 });
    await succeed(specialist.patch(path, { status: "waiting_for_customer" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "assigned" },
      there: { status: "waiting_for_customer" },
    });
    expect((await as("manager").post(`${path}/notes`, { text: "Any news?" })).status).toBe(201);
    expect(await load(specialist, path)).toMatchObject({ status: "waiting_for_customer" });
    expect((await as("requester").post(`${path}/notes`, { text: "It is the blue one." })).status).toBe(201);
    expect(await loadBoth(path)).toMatchObject({ here: { status: "assigned" }, there: { status: "assigned" } });
  });

  test("the provider's records can reference it", async () => {
    const path = await createShared();
    const group = { category: "incident", grouped_into_id: parseId(await createShared()) };
    expect((await customer.patch(path, group)).status).toBe(200);
    const own = await bodies.make(service.engine.types.get("time_entry"), { request_id: parseId(path) });
    expect((await provider.get(`/time_entries/${own.id}`)).body.request).toMatchObject({ id: parseId(path) });
    expect(describeErrors(await as("stranger").post("/broadcasts", { request_id: parseId(path) }))).toContain(
      "request: Request is not valid",
    );
  });

  test("each account's webhooks get the events in that account", async () => {
    const [ours, theirs] = [await startReceiver(), await startReceiver()];
    await createActiveWebhook(the, customer, ours, { event: "request.status-changed" });
    await createActiveWebhook(the, provider, theirs, { event: "request.status-changed" });
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "in_progress" }));
    await deliverDueWebhooks(the);
    const listStatuses = (from: Receiver) =>
      from.messages.map(({ body }) => body?.payload?.status?.id ?? body?.payload?.status);
    expect([listStatuses(ours), listStatuses(theirs)]).toEqual([[], ["in_progress"]]);
    await succeed(customer.patch(path, { status: "waiting_for_customer" }));
    await deliverDueWebhooks(the);
    expect([listStatuses(ours), listStatuses(theirs)]).toEqual([["waiting_for_customer"], ["in_progress"]]);
  });
});

describe("completing and reopening", () => {
  test("a provider that has it completes it for the customer, and can reopen it", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "completed", member_id: 10, completion_reason: "workaround" }));
    const done = await loadBoth(path);
    expect(done).toMatchObject({
      here: { status: "completed", completion_reason: "workaround", reopen_count: 0 },
      there: { status: "completed", completion_reason: "workaround", reopen_count: 0 },
    });
    expect(done.here.completed_at).not.toBeNull();
    await succeed(specialist.patch(path, { status: "in_progress" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "assigned", completion_reason: null, completed_at: null, reopen_count: 1 },
      there: { status: "in_progress", completion_reason: null, completed_at: null, reopen_count: 1 },
    });
  });

  test("the customer reopens it for the provider", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "completed", member_id: 10 }));
    await succeed(customer.patch(path, { status: "assigned" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "assigned", reopen_count: 1 },
      there: { status: "assigned", reopen_count: 1, completed_at: null, member: { id: 10 } },
    });
  });

  test("completion by the customer completes it in both accounts", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "in_progress", member_id: 10 }));
    await succeed(customer.patch(path, { status: "completed", completion_reason: "withdrawn" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "completed", completion_reason: "withdrawn" },
      there: { status: "completed", completion_reason: "withdrawn" },
    });
  });

  test("a provider that no longer has it completes only its own overlay", async () => {
    const path = await createShared();
    await succeed(customer.patch(path, { team_id: serviceDeskTeam }));
    await succeed(specialist.patch(path, { status: "completed", team_id: theirDesk, member_id: 10 }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "assigned", team: { id: serviceDeskTeam } },
      there: { status: "completed", team: { id: theirDesk } },
    });
    expect(describeErrors(await specialist.patch(path, { team_id: networksTeam }))).toEqual([
      "team: Team is not valid",
    ]);
    await succeed(specialist.patch(path, { status: "assigned" }));
    expect(await loadBoth(path)).toMatchObject({
      here: { status: "assigned", reopen_count: 0 },
      there: { status: "assigned", reopen_count: 1 },
    });
  });

  test("a request declined by the provider is declined for the customer, too", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "declined" }));
    expect(await loadBoth(path)).toMatchObject({ here: { status: "declined" }, there: { status: "declined" } });
  });
});

describe("lists", async () => {
  const subject = "Listed together";
  const shared = await Promise.all(Array.from({ length: 7 }, () => createShared({ subject })));
  const kept = await Promise.all(Array.from({ length: 4 }, () => request({ subject, team_id: serviceDeskTeam })));
  const own: number[] = [];
  for (let n = 0; n < 5; n++) {
    const { body } = await provider.post("/requests", { category: "other", subject, team_id: theirField });
    own.push(body.id);
  }
  const there = [...shared.map(parseId), ...own].sort((one, other) => other - one);
  await succeed(specialist.patch(shared[0] as string, { status: "completed", member_id: 10 }));
  await succeed(specialist.patch(shared[1] as string, { status: "in_progress", member_id: 10 }));
  await succeed(specialist.patch(shared[2] as string, { status: "in_progress", member_id: 8 }));
  await succeed(customer.patch(shared[3] as string, { status: "waiting_for_customer" }));
  const named = `subject=${encodeURIComponent(subject)}`;

  test("contain the account's own and the shared requests, newest first, with the total of both", async () => {
    const page = await specialist.get(`/requests?${named}&per_page=5`);
    expect(page.body.map((row: { id: number }) => row.id)).toEqual(there.slice(0, 5));
    expect(page.headers.get("x-pagination-total-entries")).toBe("12");
    const rows = (await specialist.get(`/requests?${named}&per_page=100`)).body;
    for (const row of rows) expect(row.account?.id).toBe(own.includes(row.id) ? undefined : "widget-it");
    expect(await listIds(customer, `/requests?${named}&per_page=100`)).toEqual(
      [...shared, ...kept].map(parseId).sort((one, other) => other - one),
    );
  });

  test("filter by the account's values", async () => {
    const working = [shared[1], shared[2]].map((path) => parseId(path as string));
    expect((await listIds(specialist, `/requests?${named}&status=in_progress&sort=id`)).toSorted(byNumber)).toEqual(
      working.toSorted(byNumber),
    );
    expect(await listIds(customer, `/requests?${named}&status=in_progress`)).toEqual([]);
    expect(await listIds(specialist, `/requests?${named}&status=waiting_for_customer`)).toEqual([]);
    expect(await listIds(specialist, `/requests?${named}&member=10&status=in_progress`)).toEqual([working[0]]);
    expect(await listIds(specialist, `/requests?${named}&team=${theirDesk}&per_page=100`)).toHaveLength(7);
    expect(await listIds(specialist, `/requests/completed?${named}`)).toEqual([parseId(shared[0] as string)]);
    expect(await listIds(specialist, `/requests/open?${named}&per_page=100`)).toHaveLength(11);
    expect(await listIds(specialist, `/requests/assigned_to_me?${named}`)).toContain(working[0]);
    expect(await listIds(specialist, `/requests/assigned_to_my_team?${named}&per_page=100`)).toHaveLength(12);
    const none = await specialist.get(`/requests?${named}&status=on_backlog`);
    expect([none.body, none.headers.get("x-pagination-total-entries")]).toEqual([[], "0"]);
  });

  // biome-ignore format: a table keeps its columns
  test.each(["id", "-id", "status", "-status", "team", "-member", "created_at", "-created_at", "updated_at", "-next_target_at", "completed_at", "subject", "-service_instance"])(
    "sorted by %s, paged forward, backward and by number",
    async (sort) => {
      const all = await listIds(specialist, `/requests?${named}&sort=${sort}&per_page=100`);
      expect([...all].sort((one, other) => other - one)).toEqual(there);
      const walked: number[] = [];
      let path: string | null = `/requests?${named}&sort=${sort}&per_page=5`;
      let last: Reply | null = null;
      while (path !== null) {
        last = await specialist.get(path);
        walked.push(...last.body.map((row: { id: number }) => row.id));
        path = /<([^>]+)>; rel="next"/.exec(last.headers.get("link") ?? "")?.[1] ?? null;
      }
      expect(walked).toEqual(all);
      const before = /<([^>]+)>; rel="prev"/.exec(last?.headers.get("link") ?? "")?.[1] as string;
      expect(await listIds(specialist, before)).toEqual(all.slice(5, 10));
      expect(await listIds(specialist, `/requests?${named}&sort=${sort}&per_page=5&page=2`)).toEqual(all.slice(5, 10));
    },
  );

  test("sort by the account's values", async () => {
    const states = (await specialist.get(`/requests?${named}&sort=status&per_page=100&fields=status`)).body.map(
      (row: { status: string }) => row.status,
    );
    expect(states).toEqual([...Array(9).fill("assigned"), "in_progress", "in_progress", "completed"]);
    const names = (await specialist.get(`/requests?${named}&sort=team&per_page=100&fields=team`)).body.map(
      (row: { team: { name: string } }) => row.team.name,
    );
    expect(names).toEqual([...Array(5).fill("Field Engineers"), ...Array(7).fill("Provider Desk")]);
  });
});

describe("permissions", () => {
  test("other accounts can't find it", async () => {
    const path = await createShared();
    const stranger = as("stranger");
    for (const suffix of ["", "/notes", "/audit", "/cis"]) expect((await stranger.get(path + suffix)).status).toBe(404);
    expect((await stranger.patch(path, { subject: "x" })).status).toBe(404);
    expect(await listIds(stranger, "/requests?per_page=100")).not.toContain(parseId(path));
  });

  test("the provider can't archive, trash or rename the customer's request", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "completed", member_id: 10 }));
    for (const move of ["archive", "trash"]) expect((await provider.post(`${path}/${move}`)).status).toBe(403);
    expect((await provider.patch(path, { sourceID: "mine" })).status).toBe(403);
    await succeed(customer.post(`${path}/archive`));
    expect([(await provider.get(path)).status, (await specialist.get(path)).status]).toEqual([403, 403]);
    expect(await listIds(specialist, "/requests?per_page=100")).not.toContain(parseId(path));
  });

  test("it is hidden when the trust ends, and visible when it begins again", async () => {
    const path = await createShared();
    const trust = (status: string) =>
      sql("UPDATE account_trusts SET status = $1 WHERE account_id = 'widget-it' AND trusted_account_id = 'provider'", [
        status,
      ]);
    const untilStatus = (wanted: number) => until(async () => (await specialist.get(path)).status === wanted);
    await trust("canceled");
    await untilStatus(404);
    expect((await specialist.patch(path, { subject: "x" })).status).toBe(404);
    expect(describeErrors(await customer.post("/requests", { category: "other", team_id: theirDesk }))).toEqual([
      "team: Team is not valid",
    ]);
    await trust("accepted");
    await untilStatus(200);
  });

  test("the account header selects the account for people who work in both", async () => {
    await sql(
      "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', 10, 'specialist', now())",
    );
    const path = await createShared();
    const createClient = (account: string) => as("providerSpecialist", { account });
    await succeed(createClient("provider").patch(path, { status: "accepted", member_id: 10 }));
    expect(await load(createClient("provider"), path)).toMatchObject({
      status: "accepted",
      account: { id: "widget-it" },
    });
    expect(await load(createClient("widget-it"), path)).toMatchObject({ status: "assigned" });
    await succeed(createClient("widget-it").patch(path, { status: "waiting_for_customer", team_id: theirDesk }));
    expect(await load(createClient("provider"), path)).toMatchObject({ status: "accepted" });
    const unshared = await request({ team_id: serviceDeskTeam });
    expect((await createClient("provider").get(unshared)).status).toBe(403);
    await sql("DELETE FROM permissions WHERE account_id = 'widget-it' AND person_id = 10");
  });
});

describe("notes, audit trail and events", () => {
  test("public notes are visible to both accounts, internal notes only in their own", async () => {
    const path = await createShared();
    await succeed(customer.patch(path, { note: "Please hurry", internal_note: "They never do" }));
    await succeed(specialist.patch(path, { note: "On our way", internal_note: "Same customer again" }));
    expect((await specialist.post(`${path}/notes`, { text: "Arrived" })).status).toBe(201);
    const loadTexts = async (by: Client, list: string) =>
      (await by.get(`${list}?per_page=100`)).body.map((note: { text: string }) => note.text);
    expect(await loadTexts(customer, `${path}/notes`)).toEqual([
      "Please hurry",
      "They never do",
      "On our way",
      "Arrived",
    ]);
    expect(await loadTexts(specialist, `${path}/notes`)).toEqual([
      "Please hurry",
      "On our way",
      "Same customer again",
      "Arrived",
    ]);
    const all = await loadTexts(specialist, "/notes");
    expect(all).toEqual(expect.arrayContaining(["Please hurry", "Arrived"]));
    expect(all).not.toContain("They never do");
    const [first] = (await specialist.get(`${path}/notes`)).body;
    expect((await specialist.get(`${path}/notes/${first.id}`)).status).toBe(200);
    expect((await specialist.get(`/notes/${first.id}`)).status).toBe(200);
    expect((await as("stranger").get(`/notes/${first.id}`)).status).toBe(404);
  });

  test("each account has its own audit trail", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "in_progress", member_id: 10, subject: "Renamed there" }));
    await succeed(customer.patch(path, { impact: "top" }));
    const loadTrail = async (by: Client) =>
      (await by.get(`${path}/audit`)).body.map((line: { action: string; changes: object; created_by: object }) => [
        line.action,
        Object.keys(line.changes),
      ]);
    const [theirs, ours] = [await loadTrail(specialist), await loadTrail(customer)];
    expect(theirs).toEqual([
      ["update", expect.arrayContaining(["subject", "status", "member"])],
      ["create", expect.arrayContaining(["status", "team", "assignment_count"])],
    ]);
    expect(ours.map(([action]: [string]) => action)).toEqual(["update", "create"]);
    expect(ours[0][1]).toEqual(["impact"]);
  });

  test("each account has its own events", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { status: "accepted", member_id: 10 }));
    await succeed(customer.patch(path, { note: "Anything new?" }));
    await succeed(specialist.patch(path, { status: "completed", internal_note: "Easy" }));
    const loadEvents = async (account: string) =>
      (
        await sql<{ event: string }>(
          "SELECT event FROM events WHERE record_type = 'request' AND record_id = $1 AND account_id = $2 ORDER BY id",
          [parseId(path), account],
        )
      ).map(({ event }) => event.replace("request.", ""));
    expect(await loadEvents("widget-it")).toEqual(["create", "note-added", "update", "status-changed", "update"]);
    expect(await loadEvents("provider")).toEqual([
      "create",
      "status-changed",
      "member-changed",
      "update",
      "note-added",
      "update",
      "note-added",
      "status-changed",
      "update",
    ]);
    const payloads = await sql<{ account_id: string; payload: { status: string; team_id: number } }>(
      "SELECT account_id, payload FROM events WHERE record_id = $1 AND event = 'request.create'",
      [parseId(path)],
    );
    expect(payloads.map(({ payload }) => payload.team_id)).toEqual([theirDesk, theirDesk]);
  });

  test("a time entry belongs to the account in which the time was spent", async () => {
    const path = await createShared();
    await succeed(specialist.patch(path, { time_spent: 15 }));
    await succeed(customer.patch(path, { time_spent: 20 }));
    const entries = await sql<object>(
      "SELECT account_id, person_id, time_spent, customer_id FROM time_entries WHERE request_id = $1 ORDER BY id",
      [parseId(path)],
    );
    expect(entries).toEqual([
      { account_id: "provider", person_id: 10, time_spent: 15, customer_id: 1 },
      { account_id: "widget-it", person_id: 1, time_spent: 20, customer_id: 1 },
    ]);
  });

  test("links made by the provider are in the provider's audit trail", async () => {
    const path = await createShared();
    const ci = await bodies.make(service.engine.types.get("ci"), {});
    expect((await specialist.post(`${path}/cis/${ci.id}`)).status).toBe(200);
    expect((await specialist.get(`${path}/audit`)).body[0].changes).toEqual({ cis: [null, ci.id] });
    expect(await listIds(specialist, `${path}/cis`)).toEqual([ci.id]);
  });
});

test("a service instance of a trusted account shares the request with that account", async () => {
  const types = service.engine.types;
  const provided = await bodies.make(types.get("service"), { provider_id: 4 });
  const offering = await bodies.make(types.get("service_offering"), { service_id: provided.id });
  const instance = await bodies.make(types.get("service_instance"), {
    service_id: provided.id,
    support_team_id: theirField,
  });
  const members = { category: "incident", service_instance_id: instance.id };
  expect(describeErrors(await customer.post("/requests", members))).toEqual([
    "service_instance: Service instance is not valid",
  ]);
  const sla = await bodies.make(types.get("sla"), {
    service_offering_id: offering.id,
    service_instance_id: instance.id,
    customer_id: 1,
  });
  await sql("UPDATE slas SET status = 'active' WHERE id = $1", [sla.id]);
  const path = await request(members);
  expect(await loadBoth(path)).toMatchObject({
    here: { team: { id: theirField }, supplier: { id: 4 }, service_instance: { account: { id: "provider" } } },
    there: { team: { id: theirField }, status: "assigned", assignment_count: 1, supplier: null },
  });
  // The service's provider can read it, whichever team the customer assigns it to.
  const kept = await request({ ...members, team_id: serviceDeskTeam });
  expect(await loadBoth(kept)).toMatchObject({
    here: { team: { id: serviceDeskTeam }, assignment_count: 1 },
    there: { team: { id: theirField }, status: "assigned", assignment_count: 1 },
  });
  expect(await listIds(customer, "/service_instances?per_page=100")).toContain(instance.id);
  expect(await listIds(as("stranger"), "/service_instances?per_page=100")).not.toContain(instance.id);
});

describe("records of the provider and a request of the customer", () => {
  test("a reservation can reference a shared request, and shows it", async () => {
    const subject = "Needs a laptop";
    const id = parseId(await createShared({ subject }));
    const request = { id, subject };
    const made = await bodies.make(service.engine.types.get("reservation"), { request_id: id });
    const replies = [made, (await provider.get(`/reservations/${made.id}`)).body];
    replies.push((await provider.get("/reservations?fields=request&sort=-id")).body[0]);
    for (const body of replies) expect(body).toMatchObject({ id: made.id, request });
    const { data, errors } = await graphqlClient(the, "provider")(
      "query($id: ID!) { node(id: $id) { ... on Reservation { request { requestId } } } }",
      { id: made.nodeID },
    );
    expect([errors, data?.node.request]).toEqual([undefined, { requestId: String(id) }]);
  });

  test.each(["task", "automation_rule", "broadcast"])(
    "a %s can only reference requests of its own account",
    async (name) => {
      const { types } = service.engine;
      const id = parseId(await createShared());
      expect(describeErrors(await bodies.post(types.get(name), { request_id: id }))).toEqual([
        "request: Request is not valid",
      ]);
      const [one, other] = [await bodies.make(types.get("request")), await bodies.make(types.get("request"))];
      const { grouped_into: group } = await succeed(
        provider.patch(`/requests/${one.id}`, { grouped_into_id: other.id }),
      );
      const { body, text } = await bodies.post(types.get(name), { request_id: group.id });
      expect(body.request, text).toMatchObject({ id: group.id });
    },
  );

  test("a request can't join another account's group", async () => {
    const id = parseId(await createShared());
    const own = await bodies.make(service.engine.types.get("request"), { team_id: theirDesk });
    const refused = await provider.patch(`/requests/${own.id}`, { grouped_into_id: id });
    expect(describeErrors(refused)).toEqual(["grouped_into: Grouped into is not valid"]);
    expect((await provider.get(`/requests/${own.id}`)).body).toMatchObject({ grouping: "none", grouped_into: null });
    // A missing group is reported as one problem, too.
    expect(describeErrors(await provider.patch(`/requests/${own.id}`, { grouped_into_id: 2_000_000 }))).toHaveLength(1);
    // The provider can read the customer's groups.
    const [first, second] = [await createShared(), await createShared()];
    const { grouped_into: group } = await succeed(customer.patch(first, { grouped_into_id: parseId(second) }));
    expect((await load(specialist, first)).grouped_into).toMatchObject({ id: group.id });
    const { body: list } = await specialist.get(`/requests?id=${parseId(first)}&fields=grouped_into`);
    expect(list).toMatchObject([{ grouped_into: { id: group.id } }]);
  });
});

test("an account without trusts runs no statements for shared requests", async () => {
  await service.notificationDispatcher.stop(); // the dispatcher's emails for other accounts run statements, too
  const { statements } = service.engine;
  const executed: string[] = [];
  const get = statements.get.bind(statements);
  statements.get = (key, build) => {
    const built = get(key, build);
    executed.push(built.text);
    return built;
  };
  const stranger = as("stranger");
  const { body } = await stranger.post("/requests", { category: "other", team_id: 3, note: "Hello" });
  await stranger.patch(`/requests/${body.id}`, { status: "completed", member_id: 7 });
  for (const path of ["/requests", `/requests/${body.id}`, "/notes", "/teams", "/service_instances"])
    expect((await stranger.get(path)).status).toBe(200);
  statements.get = get;
  service.notificationDispatcher.start();
  expect(executed.length).toBeGreaterThan(10);
  // The webhook dispatcher looks for viewers if a webhook exists for the event.
  const withoutDeliveries = executed.filter((text) => !text.includes("INSERT INTO webhook_deliveries"));
  expect(withoutDeliveries.filter((text) => /request_accounts|account_trusts|home_account_id/.test(text))).toEqual([]);
});

test("concurrent changes in two accounts lose nothing", async () => {
  const path = await createShared();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? succeed(specialist.patch(path, { team_id: n % 4 === 0 ? theirField : theirDesk }))
        : succeed(customer.patch(path, { subject: `Change ${n}` })),
    ),
  );
  const lines = await sql<{ account_id: string; count: number }>(
    "SELECT account_id, count(*)::integer FROM audit_lines WHERE audited = 'request' AND record_id = $1 GROUP BY account_id ORDER BY account_id",
    [parseId(path)],
  );
  expect(lines[1]).toEqual({ account_id: "widget-it", count: 6 });
  const { there } = await loadBoth(path);
  expect(there.assignment_count).toBe(lines[0]?.count);
});
