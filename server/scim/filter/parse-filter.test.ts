import { describe, expect, it } from "vitest";
import { ScimError } from "../errors.ts";
import { groupResource } from "../schema/group.ts";
import { userResource } from "../schema/user.ts";
import { matchesFilter } from "./match-filter.ts";
import { parseFilter } from "./parse-filter.ts";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const anna = {
  id: "7",
  userName: "Anna@Example.com",
  externalId: "Ext-1",
  active: true,
  name: { givenName: "Anna", familyName: "Berg" },
  emails: [
    { type: "work", value: "anna@example.com", primary: true },
    { type: "home", value: "a.berg@home.example" },
  ],
  meta: { created: "2026-01-01T00:00:00Z", lastModified: "2026-03-01T12:00:00Z" },
  [enterprise]: { department: "Finance", manager: { value: "3" } },
};
const matches = (text: string) => matchesFilter(parseFilter(userResource, text), anna);

describe("a SCIM filter", () => {
  it.each([
    ['userName eq "anna@example.com"', true],
    ['USERNAME EQ "ANNA@example.com"', true],
    ['externalId eq "Ext-1"', true],
    ['externalId eq "ext-1"', false],
    ['active eq "True"', true],
    ["active eq true", true],
    ['active ne "true"', false],
    ['title ne "x"', true],
    ["title pr", false],
    ["title eq null", true],
    ["name pr and emails pr", true],
    ['name.familyName sw "be"', true],
    ['name.familyName ew "RG"', true],
    ['userName co "@example"', true],
    ['emails eq "a.berg@home.example"', true],
    ['emails[type eq "work"].value eq "anna@example.com"', true],
    ['emails[type eq "work" and value co "home"]', false],
    ['emails.type eq "home"', true],
    [`${enterprise}:department eq "finance"`, true],
    [`${enterprise}:manager eq "3"`, true],
    [`${enterprise}:manager.value eq "3"`, true],
    ['meta.lastModified gt "2026-03-01T11:59:59Z"', true],
    ['meta.lastModified gt "2026-03-01T13:00:00+01:00"', false],
    ['meta.lastModified ge "2026-03-01T13:00:00+01:00"', true],
    ['userName eq "x" or active eq true and externalId eq "Ext-1"', true],
    ['(userName eq "x" or active eq true) and externalId eq "no"', false],
    ['not (userName eq "x")', true],
    ['userName lt "b"', true],
  ])("%s: %s", (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it.each([
    "",
    "userName",
    "userName eq",
    "userName eq anna",
    'nosuch eq "1"',
    'name.nosuch eq "1"',
    'name eq "Anna"',
    'userName eq "a',
    'userName eq "a\\x"',
    'userName eq "a" and',
    '(userName eq "a"',
    'userName eq "a")',
    'userName[type eq "x"]',
    'emails[nosuch eq "x"]',
    'active gt "true"',
    'active eq "yes"',
    'meta.created eq "yesterday"',
    'userName eq "a" userName eq "b"',
    'userName eq "\\u0000"',
    `${"(".repeat(100)}active pr${")".repeat(100)}`,
    `${"not ".repeat(100)}active pr`,
    Array.from({ length: 101 }, () => "active pr").join(" or "),
    `userName eq "${"a".repeat(5000)}"`,
  ])("refuses %s", (text) => {
    try {
      parseFilter(userResource, text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ScimError);
      expect(error).toMatchObject({ status: 400, scimType: "invalidFilter" });
    }
  });

  it("compares members of a group by their value", () => {
    const filter = parseFilter(groupResource, 'members eq "2" or members.value eq "9"');
    expect(matchesFilter(filter, { members: [{ value: "2" }] })).toBe(true);
    expect(matchesFilter(filter, { members: [{ value: "3" }] })).toBe(false);
  });
});
