import { describe, expect, test } from "vitest";
import { EventStream } from "../support/clients/event-stream.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { createSessionClient, signInForCookie } from "../support/clients/session-client.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { createClient, world } from "../support/world.ts";

// Calls that a page makes when it opens: the person, the stream position, several reads in one call, and suggestions
// for a new request.

const the = await world();
const { as } = the;
await setPasswords(the, "specialist", "requester");
const cookie = await signInForCookie(the, "specialist");
const session = await createSessionClient(the, cookie);

const createRequest = async (values: Record<string, unknown> = {}) =>
  (await as("specialist").post("/requests", { subject: "Printer", category: "rfi", team: 1, ...values })).body;

test("the stream sends a change made between the first call and opening the stream", async () => {
  const { id } = await createRequest();
  const { body: me } = await session.get("/me");
  expect(me.stream_position).toMatch(/^\d+-\d+$/);
  await as("manager").patch(`/requests/${id}`, { subject: "Changed before the stream was open" });
  const path = `/accounts/widget-it/stream?topics=record/request/${id}`;
  const late = await EventStream.open(the, cookie, `${path}&last_event_id=${me.stream_position}`);
  expect((await late.next("change", (data) => data.id === id)).data.fields).toContain("subject");
  late.close();
});

test("the position isn't older than events sent long ago, although the log has gaps in its ids", async () => {
  await createRequest();
  // Rolled back transactions leave gaps.
  await the.sql("SELECT nextval(pg_get_serial_sequence('audit_lines', 'id')) FROM generate_series(1, 5)");
  const { id } = await createRequest();
  const [last] = await the.sql<{ position: string }>(
    "SELECT (SELECT max(id) FROM audit_lines) || '-' || (SELECT coalesce(max(id), 0) FROM notes) AS position",
  );
  // A gap is final once every transaction that could have used the id has ended, including transactions of other
  // databases.
  const position = async () => (await session.get("/me")).body.stream_position as string;
  await until(async () => (await position()) === last?.position);
  const stream = await EventStream.open(
    the,
    cookie,
    `/accounts/widget-it/stream?topics=record/request/${id}&last_event_id=${last?.position}`,
  );
  // Missed events would come before the number of unread notifications.
  await stream.next("notification");
  expect(stream.events.map(({ event }) => event)).toEqual(["ready", "access", "notification"]);
  stream.close();
});

const createReadsClient = async () => {
  const { body } = await session.post("/access-token", {});
  const { body: me } = await session.get("/me");
  return createClient(`${the.url}/session-api`, {
    Cookie: cookie,
    "X-CSRF-Token": me.csrf_token,
    Authorization: `Bearer ${body.access_token}`,
    account: "widget-it",
  });
};

test("several reads in one call get the same responses as single calls", async () => {
  const { id } = await createRequest({ note: "Paper is stuck" });
  const combined = await createReadsClient();
  const { status, body } = await combined.post("/reads", {
    paths: [`/v1/requests/${id}`, `/v1/requests/${id}/notes?per_page=1`, "/v1/requests/999999", "/v1/requests?x=1"],
  });
  expect(status).toBe(200);
  const [record, notes, missing, wrong] = body;
  expect(record).toMatchObject({
    status: 200,
    body: { id, subject: "Printer" },
    headers: { "x-revision": expect.any(String) },
  });
  expect(notes).toMatchObject({
    status: 200,
    body: [{ text: "Paper is stuck" }],
    headers: { "x-pagination-total-entries": "1" },
  });
  expect(missing).toMatchObject({ status: 404, body: { message: expect.any(String) } });
  expect(wrong.status).toBe(400);
});

test("combined reads return at most 8 MB, and report which reads to repeat alone", async () => {
  const combined = await createReadsClient();
  const documents = await combined.post("/reads", { paths: [...Array(29).fill("/v1/openapi"), "/v1/me"] });
  const listStatuses = ({ body }: { body: { status: number }[] }) => body.map(({ status }) => status);
  expect(listStatuses(documents)).toEqual([...Array(29).fill(413), 200]);
  expect(documents.body[0].body.message).toMatch(/read its path by itself/);
  await the.sql("UPDATE people SET picture_uri = $1 WHERE id = 3", [`data:image/png;base64,${"A".repeat(900_000)}`]);
  const pictures = await combined.post("/reads", { paths: [...Array(20).fill("/v1/people/3"), "/v1/me"] });
  expect(pictures.status).toBe(200);
  expect(pictures.text.length).toBeLessThan(8 * 1_048_576 + 30_000);
  expect(listStatuses(pictures).filter((status) => status === 413).length).toBeGreaterThanOrEqual(12);
  const refused = pictures.body.find(({ status }: { status: number }) => status === 413);
  expect(refused.body.message).toMatch(/larger than 8 MB/);
  const address = the.service.api.admission.admission.getAddress("127.0.0.1");
  await until(() => address.bytes === 0 && address.calls === 0);
});

test("the response with the person contains the token for the page's first calls", async () => {
  const { body } = await session.get("/me");
  expect(body.expires_in).toBe(600);
  expect((await the.withToken(body.access_token, { account: "widget-it" }).get("/me")).body.id).toBe(
    people.specialist.id,
  );
});

test("combined reads bypass no checks", async () => {
  const combined = await createReadsClient();
  for (const paths of [
    undefined,
    [],
    "x",
    ["/session-api/me"],
    ["/v1/../session-api/me"],
    [7],
    Array(31).fill("/v1/me"),
  ])
    expect((await combined.post("/reads", { paths })).status).toBe(400);
  // Without its own token every read is rejected, and without the session the whole call.
  const { body } = await session.post("/reads", { paths: ["/v1/me"] });
  expect(body[0].status).toBe(401);
  expect((await createClient(`${the.url}/session-api`, {}).post("/reads", { paths: ["/v1/me"] })).status).toBe(401);
  const noToken = createClient(`${the.url}/session-api`, { Cookie: cookie });
  expect((await noToken.post("/reads", { paths: ["/v1/me"] })).status).toBe(403);
});

test("suggestions: the person's similar open requests, at most five of each kind, only records they may read", async () => {
  for (let at = 0; at < 7; at++)
    await createRequest({ subject: `Wireless drops on floor ${at}`, category: "incident" });
  const { status, body } = await as("specialist").get("/suggestions?text=wireless%20drops");
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["articles", "services", "similar", "templates"]);
  expect(body.similar).toHaveLength(5);
  expect(body.similar.every(({ subject }: { subject: string }) => /Wireless/.test(subject))).toBe(true);
  expect((await as("requester").get("/suggestions?text=wireless%20drops")).body.similar).toEqual([]);
  expect((await as("specialist").get("/suggestions?text=x&for=abc")).status).toBe(400);
  expect((await as("specialist", { account: "stranger" }).get("/suggestions?text=x")).status).toBe(403);
});

describe("the account that / redirects to", () => {
  const open = (path: string, own: string) =>
    fetch(`${the.url}${path}`, { headers: { Cookie: own, Accept: "text/html" }, redirect: "manual" });
  const start = async (own: string) => (await open("/", own)).headers.get("location");
  const readAccountCookie = async (path: string, own: string) => {
    const given = (await open(path, own)).headers.getSetCookie().find((each) => each.startsWith("steward_account="));
    return given === undefined ? null : (given.split(";")[0] as string);
  };

  test("is the one where the person works, then where they are served, then their own; without a session the sign-in page opens", async () => {
    expect(await start(cookie)).toBe("/a/widget-it");
    const rita = await signInForCookie(the, "requester");
    expect(await start(rita)).toBe("/a/widget");
    const agree = serviceAgreements(the.as("administrator"));
    await agree.coverPerson(await agree.service(), people.requester.id);
    expect(await start(rita)).toBe("/a/widget-it");
    expect((await open("/?language=nl", rita)).headers.get("location")).toBe("/a/widget-it?language=nl");
    expect((await open("/", "")).headers.get("location")).toBeNull();
  });

  test("is the one used last, for the same person and while they can access it", async () => {
    const rita = await signInForCookie(the, "requester");
    const last = (await readAccountCookie("/a/widget-hr/requests", rita)) ?? "";
    expect(last).toBe(`steward_account=${people.requester.id}:widget-hr`);
    // It is kept after the session: the next sign-in in the same browser starts there.
    const again = await signInForCookie(the, "requester");
    expect(await start(`${again}; ${last}`)).toBe("/a/widget-hr");
    expect(await readAccountCookie("/a/widget-hr", `${again}; ${last}`)).toBeNull();
    expect(await start(`${cookie}; ${last}`)).toBe("/a/widget-it");
    expect(await readAccountCookie("/a/stranger", rita)).toBeNull();
    for (const wrong of ["stranger", "%", ""])
      expect(await start(`${rita}; steward_account=${people.requester.id}:${wrong}`)).toBe("/a/widget-it");
  });
});
