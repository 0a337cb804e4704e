import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { type PagesContext, registerPages } from "../../../server/pages/index.ts";

// docs/private-routes.md lists the routes for browser pages only, each with a reason.

const page = readFileSync(join(import.meta.dirname, "../../../docs/private-routes.md"), "utf8");

/** "GET, POST" and `/passkeys` in the first columns: "GET /passkeys", "POST /passkeys". A path may end with "*". */
function readTable(): string[] {
  const rows = [...page.matchAll(/^\| ([A-Z, ]+) \| `([^`]+)` \| (.+) \|$/gm)];
  for (const [row, , , reason = ""] of rows) expect(reason.trim().length, row).toBeGreaterThan(20);
  return rows.flatMap(([, methods = "", path]) => methods.split(", ").map((method) => `${method} ${path}`));
}

async function listRoutes(): Promise<string[]> {
  const app = Fastify();
  const found: string[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat())
      if (url.startsWith("/session-api/") && each !== "HEAD") found.push(`${each} ${url.slice("/session-api".length)}`);
  });
  // Registering routes uses nothing of this context.
  const pages: Partial<PagesContext> = { demoPeople: [] };
  registerPages(pages as PagesContext, app);
  await app.ready();
  return found;
}

test("every route below /session-api has a reason in docs/private-routes.md, and every row a route", async () => {
  const [listed, routes] = [readTable(), await listRoutes()];
  expect(routes.length).toBeGreaterThan(20);
  expect(new Set(listed).size).toBe(listed.length);
  const covers = (row: string, route: string) =>
    row.endsWith("*") ? route.startsWith(row.slice(0, -1)) : route === row;
  expect(routes.filter((route) => !listed.some((row) => covers(row, route)))).toEqual([]);
  expect(listed.filter((row) => !routes.some((route) => covers(row, route)))).toEqual([]);
});
