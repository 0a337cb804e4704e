import { describe, expect, test, vi } from "vitest";
import type { Change } from "../live/events.ts";
import { changesAndNotesOf, changesOfList, changesOfPath, changesOfRecord, changesOfTypes } from "./change-rules.ts";

// The index of types comes from the build. A rule needs to know only which collection a type has.
const collections: Readonly<Record<string, string>> = { request: "requests", risk: "risks", person: "people" };
vi.mock("../base/type-index.ts", () => ({
  findEntry: (type: string) => (type in collections ? { name: type, collection: collections[type] } : undefined),
}));

const change = (type: string, id: number, kind: Change["kind"]): Change => ({
  ...{ type, id, kind },
  ...{ fields: [], by: null, at: "2025-03-03T09:00:00Z" },
});
const update = change("request", 7, "update");
const note = change("request", 7, "note");
const creation = change("request", 8, "create");
const other = change("risk", 7, "update");
const unknown = change("payment", 7, "update");

describe("changes of a record", () => {
  test.each([
    [update, true],
    [note, true],
    [creation, false],
    [other, false],
  ])("%j: %s", (change, concerned) => {
    expect(changesOfRecord("request", 7)(change)).toBe(concerned);
    expect(changesOfRecord("request", "7")(change)).toBe(concerned);
  });
});

describe("changes of types", () => {
  test.each([
    [update, true],
    [note, false],
    [creation, true],
    [other, true],
    [unknown, false],
  ])("%j: %s", (change, concerned) => expect(changesOfTypes("request", "risk")(change)).toBe(concerned));
});

describe("changes and notes of types", () => {
  test.each([
    [update, true],
    [note, true],
    [other, false],
  ])("%j: %s", (change, concerned) => expect(changesAndNotesOf("request", "task")(change)).toBe(concerned));
});

describe("changes of a path", () => {
  test.each([
    ["/requests", update, true],
    ["/requests", note, false],
    ["/requests", creation, true],
    ["/requests", other, false],
    ["/requests", unknown, false],
    ["/requests/7", update, true],
    ["/requests/7", creation, false],
    ["/requests/7/notes", note, true],
    ["/requests/7/notes", change("request", 70, "note"), false],
    ["/people/7/teams", change("person", 7, "delete"), true],
    ["/people/7/teams", other, false],
    ["/payments", unknown, false],
    ["/", unknown, false],
    ["requests", update, false],
    ["requests", unknown, false],
  ])("%s, %j: %s", (path, change, concerned) => expect(changesOfPath(path)(change)).toBe(concerned));
});

describe("changes of a list", () => {
  test.each([
    ["/requests", update, true],
    ["/requests", note, true],
    ["/requests", other, false],
    ["/requests", unknown, false],
    ["/requests/7/notes", note, true],
    ["/requests/7/notes", change("request", 8, "note"), false],
  ])("%s, %j: %s", (path, change, concerned) => expect(changesOfList(path)(change)).toBe(concerned));
});
