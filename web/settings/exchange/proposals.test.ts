import { describe, expect, test } from "vitest";
import { choice, opt, req, string, timeZone } from "../../../records/vocabulary/index.ts";
import { findProposal } from "./proposals.ts";

const zone = opt(timeZone);

describe("the proposal for a wrong cell", () => {
  test.each([
    ["Londn", "London"],
    ["london", "London"],
    ["Amsterdm", "Amsterdam"],
  ])("for the time zone %s is %s", (cell, expected) => expect(findProposal(zone, cell)?.cell).toBe(expected));

  test.each(["", "?", "qqqqqq"])("for %j doesn't exist", (cell) => expect(findProposal(zone, cell)).toBeNull());

  test("finds a choice by its value", () =>
    expect(findProposal(req(choice("request.impact")), "hgh")?.cell).toBe("high"));

  test("doesn't exist for a field without choices", () => expect(findProposal(opt(string(10)), "Londn")).toBeNull());

  test("doesn't exist for a column without a field", () => expect(findProposal(undefined, "Londn")).toBeNull());
});
