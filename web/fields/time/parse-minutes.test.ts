import { expect, test } from "vitest";
import { parseMinutes } from "./parse-minutes.ts";

test.each([
  "90",
  "90 min",
  "90m",
  "1:30",
  "1.5",
  "1,5",
  "1.5 h",
  "1,5h",
  "1 h 30",
  "1h30m",
  "1,5 u",
  "1 u 30",
  "1,5 Std.",
  "1 std 30 min",
])("%s is an hour and a half", (text) => expect(parseMinutes(text)).toBe(90));

test.each(["", "soon", "1:75", "1.5 x", "-5", "u", "Std."])("%s isn't a duration", (text) =>
  expect(parseMinutes(text)).toBeNull(),
);
