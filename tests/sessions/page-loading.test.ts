import { describe, expect, test } from "vitest";
import { EventStream } from "../support/clients/event-stream.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { createSessionClient, signInForCookie } from "../support/clients/session-client.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { createClient, world } from "../support/world.ts";

// What a page asks for when it opens: who is there, from where on the stream tells changes, several readings at once, and
// what the beginning of a new request suggests.

const the = await world();
const { as } = the;
await setPasswords(the, "specialist", "requester");
const cookie = await signInForCookie(the, "specialist");
const session = await createSessionClient(the, cookie);

const newRequest = async (values: Record<string, unknown> = {}) =>
  (await as("specialist").post("/requests", { subject: "Printer", category: "rfi", team: 1, ...values })).body;

test("a change between the first call and the opening of the stream is told by the stream", async () => {
  const { id } = await newRequest();
  const { body: me } = await session.get("/me");
  expect(me.stream_position).toMatch(/^\d+-\d+$/);
  await as("manager").patch(`/requests/${id}`, { subject: "Changed before the stream was open" });
  const path = `/accounts/widget-it/stream?topics=record/request/${id}`;
  const late = await EventStream.open(the, cookie, `${path}&last_event_id=${me.stream_position}`);
  expect((await late.next("change", (data) => data.id === id)).data.fields).toContain("subject");
  late.close();
});

test("the position is not behind what was told long ago, although ids are missing in the log", async () => {
  await newRequest();
  // Transactions that were rolled back have taken ids.
  await the.sql("SELECT nextval(pg_get_serial_sequence('audit_lines', 'id')) FROM generate_series(1, 5)");
  const { id } = await newRequest();
  const [last] = await the.sql<{ position: string }>(
    "SELECT (SELECT max(id) FROM audit_lines) || '-' || (SELECT coalesce(max(id), 0) FROM notes) AS position",
  );
  // An id is missing for good once every transaction has ended that could have taken it, also one of another database.
  const position = async () => (await session.get("/me")).body.stream_position as string;
  await until(async () => (await position()) === last?.position);
  const stream = await EventStream.open(
    the,
    cookie,
    `/accounts/widget-it/stream?topics=record/request/${id}&last_event_id=${last?.position}`,
  );
  // What was missed would be told before the number of unread notifications.
  await stream.next("notification");
  expect(stream.events.map(({ event }) => event)).toEqual(["ready", "access", "notification"]);
  stream.close();
});

const bearer = async () => {
  const { body } = await session.post("/access-token", {});
  const { body: me } = await session.get("/me");
  return createClient(`${the.url}/session-api`, {
    Cookie: cookie,
    "X-CSRF-Token": me.csrf_token,
    Authorization: `Bearer ${body.access_token}`,
    account: "widget-it",
  });
};

test("several readings in one call are answered as each would be alone", async () => {
  const { id } = await newRequest({ note: "Paper is stuck" });
  const combined = await bearer();
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

test("combined readings answer at most 8 MB; what is beyond that says so and can be read alone", async () => {
  const combined = await bearer();
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

test("the answer about the person brings the token for the first calls of the page", async () => {
  const { body } = await session.get("/me");
  expect(body.expires_in).toBe(600);
  expect((await the.withToken(body.access_token, { account: "widget-it" }).get("/me")).body.id).toBe(
    people.specialist.id,
  );
});

test("combined readings are no way around anything", async () => {
  const combined = await bearer();
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
  // Without a token of its own every reading is refused; without the session there is no call at all.
  const { body } = await session.post("/reads", { paths: ["/v1/me"] });
  expect(body[0].status).toBe(401);
  expect((await createClient(`${the.url}/session-api`, {}).post("/reads", { paths: ["/v1/me"] })).status).toBe(401);
  const noToken = createClient(`${the.url}/session-api`, { Cookie: cookie });
  expect((await noToken.post("/reads", { paths: ["/v1/me"] })).status).toBe(403);
});

test("suggestions: similar open requests of the person, at most five of each kind, only what they may read", async () => {
  for (let at = 0; at < 7; at++) await newRequest({ subject: `Wireless drops on floor ${at}`, category: "incident" });
  const { status, body } = await as("specialist").get("/suggestions?text=wireless%20drops");
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["articles", "services", "similar", "templates"]);
  expect(body.similar).toHaveLength(5);
  expect(body.similar.every(({ subject }: { subject: string }) => /Wireless/.test(subject))).toBe(true);
  expect((await as("requester").get("/suggestions?text=wireless%20drops")).body.similar).toEqual([]);
  expect((await as("specialist").get("/suggestions?text=x&for=abc")).status).toBe(400);
  expect((await as("specialist", { account: "stranger" }).get("/suggestions?text=x")).status).toBe(403);
});

describe("/ leads to the account that has something for the person", () => {
  const open = (path: string, own: string) =>
    fetch(`${the.url}${path}`, { headers: { Cookie: own, Accept: "text/html" }, redirect: "manual" });
  const start = async (own: string) => (await open("/", own)).headers.get("location");
  const remembered = async (path: string, own: string) => {
    const given = (await open(path, own)).headers.getSetCookie().find((each) => each.startsWith("steward_account="));
    return given === undefined ? null : (given.split(";")[0] as string);
  };

  test("to where they work, to where they are served, else to their own; without a session to the sign-in", async () => {
    expect(await start(cookie)).toBe("/a/widget-it");
    const rita = await signInForCookie(the, "requester");
    expect(await start(rita)).toBe("/a/widget");
    const agree = serviceAgreements(the.as("administrator"));
    await agree.coverPerson(await agree.service(), people.requester.id);
    expect(await start(rita)).toBe("/a/widget-it");
    expect((await open("/?language=nl", rita)).headers.get("location")).toBe("/a/widget-it?language=nl");
    expect((await open("/", "")).headers.get("location")).toBeNull();
  });

  test("the account that was used last comes first, for the same person and while it is open to them", async () => {
    const rita = await signInForCookie(the, "requester");
    const last = (await remembered("/a/widget-hr/requests", rita)) ?? "";
    expect(last).toBe(`steward_account=${people.requester.id}:widget-hr`);
    // It stays after the session: another sign-in in the same browser begins there.
    const again = await signInForCookie(the, "requester");
    expect(await start(`${again}; ${last}`)).toBe("/a/widget-hr");
    expect(await remembered("/a/widget-hr", `${again}; ${last}`)).toBeNull();
    expect(await start(`${cookie}; ${last}`)).toBe("/a/widget-it");
    expect(await remembered("/a/stranger", rita)).toBeNull();
    for (const wrong of ["stranger", "%", ""])
      expect(await start(`${rita}; steward_account=${people.requester.id}:${wrong}`)).toBe("/a/widget-it");
  });
});
