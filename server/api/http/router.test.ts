import { expect, test } from "vitest";
import type { Route } from "./route.ts";
import { Router } from "./router.ts";

const route = (method: Route["method"], path: string): Route => ({
  method,
  path,
  scope: null,
  handle: async () => ({ status: 204 }),
});
const router = new Router([
  route("GET", ""),
  route("GET", "/people"),
  route("GET", "/people/me"),
  route("GET", "/people/:id"),
  route("PATCH", "/people/:id"),
  route("GET", "/people/:id/teams/:other"),
  route("GET", "/people/me/teams"),
]);
const find = (method: string, path: string) => {
  const match = router.find(method, path);
  return match === null ? null : [match.route.path, match.params];
};

test("a fixed segment takes precedence over a parameter, in the routes of the method", () => {
  expect(find("GET", "")).toEqual(["", {}]);
  expect(find("GET", "/people/me")).toEqual(["/people/me", {}]);
  expect(find("GET", "/people/7")).toEqual(["/people/:id", { id: "7" }]);
  expect(find("PATCH", "/people/me")).toEqual(["/people/:id", { id: "me" }]);
  expect(find("HEAD", "/people")).toEqual(["/people", {}]);
});

test("the router tries the parameter if the fixed segment leads nowhere", () => {
  expect(find("GET", "/people/me/teams")).toEqual(["/people/me/teams", {}]);
  expect(find("GET", "/people/me/teams/3")).toEqual(["/people/:id/teams/:other", { id: "me", other: "3" }]);
});

test("the router decodes segments one by one: an encoded slash is no separator", () => {
  expect(find("GET", "/%70eople/a%2Fme")).toEqual(["/people/:id", { id: "a/me" }]);
});

test("an unknown path has no route", () => {
  for (const path of [
    "/",
    "/people/",
    "/people//teams/3",
    "/people/7/teams",
    "/people/%ZZ",
    `/people/${"7".repeat(501)}`,
  ])
    expect(find("GET", path), path).toBeNull();
  expect(find("DELETE", "/people/7")).toBeNull();
});

test("two routes for the same path are refused", () => {
  expect(() => new Router([route("GET", "/a/:id"), route("GET", "/a/:other")])).toThrow("two routes for GET /a/:other");
});
