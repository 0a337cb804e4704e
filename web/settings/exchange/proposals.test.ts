import { describe, expect, test } from "vitest";
import { choice, opt, req, string, timeZone } from "../../../records/vocabulary/index.ts";
import { findProposal } from "./proposals.ts";

const zone = opt(timeZone);

describe("what a wrong cell may have meant", () => {
  test.each([
    ["Londn", "London"],
    ["london", "London"],
    ["Amsterdm", "Amsterdam"],
  ])("the time zone %s is %s", (cell, expected) => expect(findProposal(zone, cell)?.cell).toBe(expected));

  test.each(["", "?", "qqqqqq"])("nothing is like %j", (cell) => expect(findProposal(zone, cell)).toBeNull());

  test("a choice is found by its value", () =>
    expect(findProposal(req(choice("request.impact")), "hgh")?.cell).toBe("high"));

  test("a text has no choices", () => expect(findProposal(opt(string(10)), "Londn")).toBeNull());

  test("a column without a field has none", () => expect(findProposal(undefined, "Londn")).toBeNull());
});
