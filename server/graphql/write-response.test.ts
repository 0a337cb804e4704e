import { expect, test } from "vitest";
import { SharedTurns } from "../base/shared-turns.ts";
import { writeResponse } from "./write-response.ts";

const turns = new SharedTurns();

test("a response is written as JSON.stringify writes it", async () => {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const deep = Array.from({ length: 12 }).reduce<unknown>((inner) => ({ a: [inner, "x"] }), { end: true });
  for (const response of [
    {},
    { data: null },
    { errors: [], data: { a: [], b: {}, c: [null, 1, 'ä\n"\u2028'], d: undefined, e: [undefined, new Date(0)] } },
    { data: { decimal: rawJSON("12.3400"), list: [rawJSON("1e3")] } },
    { data: deep },
  ])
    expect(await writeResponse(response, turns)).toBe(JSON.stringify(response));
});
