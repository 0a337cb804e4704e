import { describe, expect, test } from "vitest";
import { fillPath } from "./operations.ts";

describe("the path of an operation", () => {
  test.each([
    ["GET /agile_boards/:id/items", { id: 7 }, ["GET", "/agile_boards/7/items"]],
    ["DELETE /import/:token", { token: "a/b c" }, ["DELETE", "/import/a%2Fb%20c"]],
    ["GET /search", { q: "vpn & co", per_page: 8 }, ["GET", "/search?q=vpn+%26+co&per_page=8"]],
    ["GET /requests/:id/notes", { id: 1, sort: "-id" }, ["GET", "/requests/1/notes?sort=-id"]],
    ["GET /portal", {}, ["GET", "/portal"]],
    ["GET /portal", { show: undefined }, ["GET", "/portal"]],
    ["POST /a/:one/:two", { one: 1, two: 2 }, ["POST", "/a/1/2"]],
  ])("%s with %j", (key, parameters, expected) => expect(fillPath(key, parameters)).toEqual(expected));
});
