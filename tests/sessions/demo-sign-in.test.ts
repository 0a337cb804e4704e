import { expect, test } from "vitest";
import { FormBrowser } from "../support/clients/form-browser.ts";
import { world } from "../support/world.ts";

// D-205: people of the demo company sign in with one click, if only this machine can reach the server.

const demo = await world({ env: { ENVIRONMENT: "demo" } });
await demo.sql("UPDATE people SET primary_email = 'soren.lindqvist@quillhaven.example' WHERE name = 'Sam Specialist'");

test("in a demo on this machine the sign-in page offers existing people, and one click signs in", async () => {
  const browser = new FormBrowser(demo.url);
  const page = await browser.get("/sign_in");
  expect(page.text).toContain("Sam Specialist");
  expect(page.text).not.toContain("Administrator</span>"); // the test data has no person with the administrator's address
  const signedIn = await browser.submit(page, "/sign_in/demo", { role: "specialist" });
  expect([signedIn.status, signedIn.location]).toEqual([302, "/a/quillhaven-it"]);
  expect((await browser.api("GET", "/me")).body.person.name).toBe("Sam Specialist");
});

test("an unknown role and a form without its token are rejected", async () => {
  const browser = new FormBrowser(demo.url);
  const page = await browser.get("/sign_in");
  expect((await browser.submit(page, "/sign_in/demo", { role: "administrator" })).status).toBe(404);
  const body = new URLSearchParams({ role: "specialist" });
  expect((await fetch(`${demo.url}/sign_in/demo`, { method: "POST", body })).status).toBe(403);
});

test("outside a demo, or if others can reach the server, neither the block nor the route exists", async () => {
  const settings: Record<string, string>[] = [{ ENVIRONMENT: "qa" }, { ENVIRONMENT: "demo", HOST: "0.0.0.0" }];
  for (const env of settings) {
    const other = await world({ env });
    expect((await new FormBrowser(other.url).get("/sign_in")).text).not.toContain("explore the demo");
    expect((await fetch(`${other.url}/sign_in/demo`, { method: "POST", body: "role=specialist" })).status).toBe(404);
  }
});
