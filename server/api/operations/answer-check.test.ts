import { describe, expect, test } from "vitest";
import { recordOf } from "../../../records/answers/answer-of.ts";
import {
  anything,
  boolean,
  choice,
  datetime,
  either,
  integer,
  list,
  map,
  type Operation,
  object,
  openObject,
  optional,
  orNull,
  type Shape,
  string,
  tuple,
  word,
} from "../../../records/vocabulary/index.ts";
import { type ApiResponse, noContent, ok } from "../http/route.ts";
import { checkAnswers, findMismatch } from "./answer-check.ts";

const card = object({ id: integer(), name: orNull(string()), urgent: optional(boolean) });

describe("a value matches its shape", () => {
  const fitting: [name: string, shape: Shape, value: unknown][] = [
    ["every member is there", card, { id: 1, name: "One", urgent: true }],
    ["an optional member is absent, another one null", card, { id: 1, name: null }],
    ["a list, also an empty one", list(card), []],
    ["a list of entries", list(card), [{ id: 1, name: "One" }]],
    ["a map with names of any kind", map(integer()), { one: 1, "2": 2 }],
    ["a tuple", tuple(string(), integer()), ["a", 1]],
    ["a tuple without its optional end", tuple(string(), optional(integer())), ["a"]],
    ["members of any name beside the declared ones", openObject({ id: integer() }, string()), { id: 1, more: "x" }],
    ["one of several shapes", either(string(), list(string())), ["a"]],
    ["a word", word("open", "closed"), "open"],
    ["a choice of an enumeration", choice("sprint.status"), "active"],
    ["a moment", datetime, "2026-04-08T09:30:00Z"],
    ["anything, null included", anything, null],
    ["a record, which its own type declares", recordOf("note"), { id: 1, text: "Hello" }],
  ];
  test.each(fitting)("%s", (_name, shape, value) => expect(findMismatch(shape, value)).toBeNull());
});

describe("a mismatch names its place", () => {
  const wrong: [shape: Shape, value: unknown, text: string][] = [
    [card, { name: "One" }, "id is missing"],
    [card, { id: null, name: "One" }, "id is null"],
    [card, { id: 1.5, name: "One" }, "id is not a value of kind integer: 1.5"],
    [card, { id: 1, name: "One", color: "red" }, "color is not declared"],
    [list(card), [{ id: 1, name: "One" }, { id: 2 }], "1.name is missing"],
    [list(card), {}, "the answer is not a list"],
    [card, [], "the answer is not an object"],
    [
      object({ cards: list(card) }),
      { cards: [{ id: "1", name: null }] },
      'cards.0.id is not a value of kind integer: "1"',
    ],
    [map(integer()), { one: "1" }, 'one is not a value of kind integer: "1"'],
    [tuple(string(), integer()), ["a"], "1 is missing"],
    [tuple(string(), optional(integer())), ["a", 1, 2], "the answer is not a list of 2"],
    [openObject({ id: integer() }, string()), { id: 1, more: 2 }, "more is not a value of kind string: 2"],
    [word("open", "closed"), "ajar", 'the answer is not a value of kind enum: "ajar"'],
  ];
  test.each(wrong)("%j: %j", (shape, value, text) => expect(findMismatch(shape, value)).toBe(text));
});

test("`?fields=` may omit members of the response, but not members of a member", () => {
  const answer = object({ id: integer(), owner: object({ id: integer(), name: string() }) });
  expect(findMismatch(answer, { id: 1 }, "", true)).toBeNull();
  expect(findMismatch(answer, { owner: { id: 1 } }, "", true)).toBe("owner.name is missing");
});

test("an operation responds with its own status, or with one of its other responses", async () => {
  const operation: Operation = {
    ...{ id: "startExport", summary: "Export records", answer: object({ token: string() }) },
    otherAnswers: { 204: { answer: null }, 202: { answer: object({ checked: integer() }) } },
  };
  const answer = async (response: ApiResponse) => {
    const handle = async () => response;
    const [route] = checkAnswers([{ method: "POST", path: "/export", scope: null, operation, handle }]);
    return (await route?.handle({ query: [] } as never))?.status;
  };
  expect(await answer(ok({ token: "x" }))).toBe(200);
  expect(await answer(noContent)).toBe(204);
  expect(await answer({ ...ok({ checked: 1 }), status: 202 })).toBe(202);
  await expect(answer({ ...ok({ token: "x" }), status: 202 })).rejects.toThrow("does not answer as declared");
  await expect(answer({ ...ok({ token: "x" }), status: 201 })).rejects.toThrow("status 201 instead of 200");
});
