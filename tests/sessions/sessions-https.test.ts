import { expect, test } from "vitest";
import { authorizeAddress, FormBrowser, registerApplication, setPasswords } from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// Behind a proxy with HTTPS: cookies are only sent over HTTPS, and URLs use the origin that the client knows.

const at = await world({ env: { TRUST_PROXY: "127.0.0.1" } });
await setPasswords(at, "specialist");
const forwarded = {
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "desk.example",
  "X-Forwarded-For": "203.0.113.9",
};

test("cookies are secure and bound to the host, and forms must come from the public origin", async () => {
  const browser = new FormBrowser(at.url, forwarded);
  const page = await browser.get("/sign_in");
  expect(page.headers.getSetCookie()[0]).toMatch(/^__Host-steward_form=\S+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const fields = { email: "sam@widget.example", password: "the secret of specialist" };
  expect((await browser.submit(page, "/sign_in", fields, { Origin: "https://evil.example" })).status).toBe(403);
  const entered = await browser.submit(page, "/sign_in", fields, { Origin: "https://desk.example" });
  expect(entered.headers.getSetCookie().join()).toMatch(
    /__Host-steward_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=/,
  );
  expect((await browser.api("GET", "/me")).status).toBe(200);
  const prompt = await browser.get(authorizeAddress(await registerApplication(at)));
  expect(prompt.location).toMatch(/^https:\/\/desk\.example\/oauth\/authorize_application\?/);
  const [session] = (await browser.api("GET", "/sessions")).body;
  expect(session.address).toBe("203.0.113.9");
});

test("a cookie without the prefix is no session", async () => {
  const browser = new FormBrowser(at.url, forwarded);
  await browser.submit(
    await browser.get("/sign_in"),
    "/sign_in",
    { email: "sam@widget.example", password: "the secret of specialist" },
    { Origin: "https://desk.example" },
  );
  const secret = browser.cookies.get("__Host-steward_session") as string;
  const other = new FormBrowser(at.url, forwarded);
  other.cookies.set("steward_session", secret);
  expect((await other.api("GET", "/me")).status).toBe(401);
});

test("metadata contains the public URLs", async () => {
  const response = await fetch(`${at.url}/.well-known/oauth-authorization-server`, { headers: forwarded });
  expect(await response.json()).toMatchObject({
    issuer: "https://desk.example",
    token_endpoint: "https://desk.example/oauth/token",
  });
});
