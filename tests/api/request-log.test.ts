import { describe, expect, test } from "vitest";
import { cutSecrets } from "../../server/api/http/request-log/cut-secrets.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { signInClient } from "../support/clients/session-client.ts";
import { world } from "../support/world.ts";

// The log of API calls: its contents, who can read it, and its size.

const here = await world();
const admin = here.as("administrator");
const requester = here.as("requester");
type LoggedCall = {
  id: number;
  method: string;
  path: string;
  status: number;
  request_id: string;
  sent: string | null;
  answered: string | null;
  person: { id: number; name: string };
};

const list = async (query = "", client = admin): Promise<LoggedCall[]> => {
  await here.service.api.requestLog.flush();
  const { status, body, text } = await client.get(`/request_log?${query}`);
  expect(status, text).toBe(200);
  return body;
};

describe("the request log", () => {
  test("a failed call is found by its request id, with both bodies and without secrets", async () => {
    const reply = await admin.post("/requests?api_token=hidden-1", {
      subject: "",
      password: "hidden-2",
      nested: { client_secret: "hidden-3" },
    });
    expect(reply.status).toBe(422);
    const [call] = await list(`request_id=${reply.headers.get("X-Request-Id")}`);
    expect(call).toMatchObject({ method: "POST", status: 422, person: { name: "Ada Admin" } });
    expect(call?.path).toMatch(/^\/v1\/requests\?api_token=/);
    expect(call?.answered).toContain("errors");
    expect(JSON.stringify(call)).not.toContain("hidden");
  });

  test("people see their own calls, administrators see all of the account's, and no one sees others", async () => {
    await requester.get("/me");
    const own = await list("", requester);
    expect(new Set(own.map(({ person }) => person.name))).toEqual(new Set(["Rita Requester"]));
    expect((await list("path=/v1/me")).some(({ person }) => person.name === "Rita Requester")).toBe(true);
    expect((await list("", here.as("stranger"))).filter(({ person }) => person.name !== "Stella Stranger")).toEqual([]);
    const { body: figures } = await admin.get("/request_log_statistics?hours=24");
    expect(figures.calls).toBeGreaterThan(2);
    expect(figures.errors).toBeGreaterThan(0);
  });

  test("is filtered and paged, and rejects invalid filters", async () => {
    for (let i = 0; i < 5; i++) await admin.get(`/teams/${900_000 + i}`);
    const missing = await list("status=404&method=get&path=/v1/teams");
    expect(missing.map(({ path }) => path)).toEqual([4, 3, 2, 1, 0].map((i) => `/v1/teams/${900_000 + i}`));
    expect((await list(`status=404&before=${missing[1]?.id}`))[0]?.path).toBe("/v1/teams/900002");
    expect((await list(`status=error&after=${missing[1]?.id}`)).map(({ id }) => id)).toContain(missing[0]?.id);
    for (const wrong of ["status=x", "before=-1", "person_id=x", "after=0"])
      expect((await admin.get(`/request_log?${wrong}`)).status).toBe(400);
  });

  test("is filtered by caller and hours, and the figures name the callers", async () => {
    await requester.get("/teams/900100");
    const calls = await list("hours=1&path=/v1/teams/900100");
    expect(calls.map(({ person }) => person.name)).toEqual(["Rita Requester"]);
    const { body: figures } = await admin.get("/request_log_statistics?hours=1");
    const rita = await here.sql<{ id: number }>("SELECT id FROM tokens WHERE person_id = 5 AND kind <> 'session'");
    const found = figures.by_caller.find(({ token }: { token: { id: number } | null }) => token?.id === rita[0]?.id);
    expect(found).toMatchObject({ application: null, person: null, is_session: false, refused: 0 });
    expect(found.errors).toBeGreaterThan(0);
    const ofToken = await list(`token_id=${rita[0]?.id}`);
    expect(new Set(ofToken.map(({ person }) => person.name))).toEqual(new Set(["Rita Requester"]));
    expect(await list("application_id=999999")).toEqual([]);
    expect(await list("browser=true")).toEqual([]);
    await here.sql("UPDATE api_calls SET called_at = called_at - interval '2 hours' WHERE path = '/v1/teams/900100'");
    expect(await list("hours=1&path=/v1/teams/900100")).toEqual([]);
    expect(await list("hours=3&path=/v1/teams/900100")).toHaveLength(1);
    for (const wrong of ["hours=0", "hours=169", "browser=x", "token_id=x", "application_id=-1"])
      expect((await admin.get(`/request_log?${wrong}`)).status, wrong).toBe(400);
  });

  test("omits automatic saves by pages, and never stores the text of a draft", async () => {
    await setPasswords(here, "specialist");
    const { access_token: token } = (await (await signInClient(here, "specialist")).post("/access-token")).body;
    const session = here.withToken(token, { account: "widget-it" });
    const draft = { value: { text: "typed in confidence" } };
    expect((await session.put("/kept_items/draft/mine", draft)).status).toBe(200);
    expect((await session.put("/kept_items/draft/mine?owner=team:999999", draft)).status).toBeGreaterThanOrEqual(400);
    const logged = await list("path=/v1/kept_items");
    expect(logged.map(({ method, path, sent }) => ({ method, path, sent }))).toEqual([
      { method: "PUT", path: "/v1/kept_items/draft/mine?owner=team:999999", sent: null },
    ]);
  });

  test("deletes old calls", async () => {
    await here.sql("UPDATE api_calls SET called_at = called_at - interval '8 days'");
    await here.service.api.requestLog.clean();
    expect((await here.sql("SELECT count(*)::integer AS count FROM api_calls"))[0]?.count).toBeLessThan(3);
  });

  test("text that looks like a secret is cut, even if the body is truncated within it", () => {
    for (const text of [
      '{"password":"hidden"}',
      '{"a":{"client_secret" : "hid\\"den", "b":1}}',
      '{"access_token":"hidden',
      "/v1/x?token=hidden&b=1",
      '{"password":12345678}',
      '{"api_key":["hidden"]}',
      "Authorization: Bearer hidden.hidden",
    ])
      expect(cutSecrets(text)).not.toMatch(/hid|12345678/);
    expect(cutSecrets('{"subject":"A question","team_id":5}')).toBe('{"subject":"A question","team_id":5}');
  });
});
