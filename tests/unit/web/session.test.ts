import { afterEach, expect, test, vi } from "vitest";
import { askForSessionBy, callSessionApi, sessionApi } from "../../../web/api/session.ts";

// The end of a session while calls are on their way.

const respond = (status: number, body: unknown = {}) => new Response(JSON.stringify(body), { status });
afterEach(() => vi.unstubAllGlobals());

test("a refusal that arrives after the person has signed in again does not ask for the password once more", async () => {
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
  const call = callSessionApi("PUT", "/accounts/widget-it/kept/draft/1", { text: "Typed" });
  session = "two";
  await sessionApi.whoAmI();
  refusal.resolve(respond(401));
  expect(await (await call).json()).toEqual({ saved: true });
  expect([asked, sent]).toEqual([0, 2]);
});

test("a call that meets the end of the session waits for the next one, and is made again", async () => {
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
  expect(await (await callSessionApi("POST", "/seen", {})).json()).toEqual({ saved: true });
  expect(sent).toBe(2);
});
