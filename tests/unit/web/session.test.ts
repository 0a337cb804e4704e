import { afterEach, expect, test, vi } from "vitest";
import { callRest } from "../../../web/api/rest.ts";
import { askForSessionBy, callSessionApi, sessionApi } from "../../../web/api/session.ts";

// A session that expires during calls.

const respond = (status: number, body: unknown = {}) => new Response(JSON.stringify(body), { status });
afterEach(() => vi.unstubAllGlobals());

test("a refusal that arrives after a new sign-in doesn't ask for the password again", async () => {
  const refusal = Promise.withResolvers<Response>();
  let [session, sent, asked] = ["one", 0, 0];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/me")) return respond(200, { csrf_token: session, person: { id: 1 } });
    return sent++ === 0 ? refusal.promise : respond(200, { saved: true });
  });
  askForSessionBy(async () => {
    asked++;
  });
  await sessionApi.whoAmI();
  const call = callSessionApi("PUT", "/password", {});
  session = "two";
  await sessionApi.whoAmI();
  refusal.resolve(respond(401));
  expect(await (await call).json()).toEqual({ saved: true });
  expect([asked, sent]).toEqual([0, 2]);
});

test("a call that hits an expired session waits for the next session and is repeated", async () => {
  let [session, sent] = ["one", 0];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/me")) return respond(200, { csrf_token: session, person: { id: 1 } });
    return sent++ === 0 ? respond(401) : respond(200, { saved: true });
  });
  askForSessionBy(async () => {
    session = "two";
    await sessionApi.whoAmI();
  });
  await sessionApi.whoAmI();
  expect(await (await callSessionApi("POST", "/accounts/widget-it/presence", {})).json()).toEqual({ saved: true });
  expect(sent).toBe(2);
});

// REST API calls, whose token belongs to the session.

/** Stubs a server whose sessions have one token each. `sent`: the REST API calls with their tokens. */
function stubServer() {
  const server = { session: "one", isOver: false, asked: 0, sent: [] as string[], calls: [] as string[] };
  const buildToken = () => ({ access_token: `token of ${server.session}`, expires_in: 600 });
  vi.stubGlobal("fetch", async (path: string, { headers }: { headers: Record<string, string> }) => {
    server.calls.push(path);
    if (path.endsWith("/me")) return respond(200, { csrf_token: server.session, person: { id: 1 }, ...buildToken() });
    if (path.endsWith("/access-token")) return server.isOver ? respond(401) : respond(201, buildToken());
    server.sent.push(headers.Authorization ?? "");
    return server.isOver || headers.Authorization !== `Bearer token of ${server.session}`
      ? respond(401)
      : respond(200, { saved: true });
  });
  askForSessionBy(async () => {
    server.asked++;
    Object.assign(server, { session: "two", isOver: false });
    await sessionApi.whoAmI();
  });
  return server;
}
const draft = { method: "PUT", path: "/kept_items/draft/1", body: { value: { text: "Typed" } } };

test("the response of /me includes a token, so the first REST API call needs no other call before it", async () => {
  const server = stubServer();
  await sessionApi.whoAmI();
  await callRest("widget-it", draft);
  expect(server.calls).toEqual(["/session-api/me", "/v1/kept_items/draft/1"]);
});

test("a draft that hits an expired session is sent after the person has signed in again", async () => {
  const server = stubServer();
  await sessionApi.whoAmI();
  server.isOver = true;
  const both = [callRest("widget-it", draft), callRest("widget-it", { ...draft, path: "/kept_items/draft/2" })];
  for (const answer of await Promise.all(both)) expect(await answer.json()).toEqual({ saved: true });
  expect(server.asked).toBe(1);
  expect(server.sent.filter((token) => token === "Bearer token of two")).toHaveLength(2);
});

test("a refusal of the earlier token doesn't ask for the password again", async () => {
  const server = stubServer();
  await sessionApi.whoAmI();
  server.session = "two";
  const call = callRest("widget-it", draft);
  await sessionApi.whoAmI();
  expect(await (await call).json()).toEqual({ saved: true });
  expect(server.asked).toBe(0);
});

test("a closing page sends its draft immediately with the page's token, even in the token's last minute", async () => {
  vi.useFakeTimers();
  try {
    const server = stubServer();
    await sessionApi.whoAmI();
    vi.setSystemTime(Date.now() + 570_000);
    void callRest("widget-it", { ...draft, keepalive: true });
    // A page does nothing more after its last event.
    await Promise.resolve();
    await Promise.resolve();
    expect(server.calls).toEqual(["/session-api/me", "/v1/kept_items/draft/1"]);
    server.isOver = true;
    await expect(callRest("widget-it", { ...draft, keepalive: true })).rejects.toMatchObject({ status: 401 });
    expect(server.asked).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
