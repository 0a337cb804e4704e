import { describe, expect, it } from "vitest";
import { groupResource } from "../schema/group.ts";
import { userResource } from "../schema/user.ts";
import { type Members, startDraft } from "./draft.ts";
import { mergeBody } from "./merge-body.ts";
import { applyOperations } from "./patch-operations.ts";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const base = (): Members => ({
  userName: "anna@example.com",
  active: true,
  title: "Clerk",
  name: { givenName: "Anna", familyName: "Berg" },
  emails: [{ type: "work", value: "anna@example.com", primary: true }],
});

function patch(operations: unknown, document: Members = base()) {
  const draft = startDraft({ document, unknown: {}, customFields: {} });
  applyOperations(userResource, draft, operations);
  return draft;
}
const patchGroup = (operations: unknown) => {
  const draft = startDraft({ document: { displayName: "G" }, unknown: {}, customFields: {} });
  applyOperations(groupResource, draft, operations);
  return draft;
};

describe("the operations of a SCIM patch", () => {
  it("reads words in any case and booleans as text", () => {
    expect(patch([{ op: "Replace", path: "active", value: "False" }]).document.active).toBe(false);
  });

  it("merges a value without a path, with dotted and URN keys", () => {
    const { document } = patch([
      { op: "replace", value: { active: false, "name.givenName": "A", [`${enterprise}:department`]: "B" } },
    ]);
    expect(document).toMatchObject({ active: false, name: { givenName: "A", familyName: "Berg" } });
    expect(document[enterprise]).toEqual({ department: "B" });
  });

  it("merges the object of an extension", () => {
    const { document } = patch([{ op: "add", path: enterprise, value: { department: "B", manager: "4" } }]);
    expect(document[enterprise]).toEqual({ department: "B", manager: { value: "4" } });
  });

  it("creates the entry of a filter without a match", () => {
    const { document } = patch([{ op: "Add", path: 'emails[type eq "home"].value', value: "a@home.example" }]);
    expect(document.emails).toEqual([
      { type: "work", value: "anna@example.com", primary: true },
      { type: "home", value: "a@home.example" },
    ]);
    const first = patch([{ op: "Add", path: 'emails[type eq "work"].value', value: "a@b.example" }], {});
    expect(first.document.emails).toEqual([{ type: "work", value: "a@b.example" }]);
  });

  it("changes only the entries that match", () => {
    const { document } = patch([
      { op: "add", path: "emails", value: [{ type: "home", value: "h@example.com" }] },
      { op: "replace", path: 'emails[type eq "home"].value', value: "new@example.com" },
    ]);
    expect(document.emails).toEqual([
      { type: "work", value: "anna@example.com", primary: true },
      { type: "home", value: "new@example.com" },
    ]);
  });

  it("keeps one primary entry: the one that was marked last", () => {
    const { document } = patch([
      { op: "add", path: "emails", value: [{ type: "home", value: "h@example.com", primary: "True" }] },
    ]);
    expect(document.emails).toEqual([
      { type: "work", value: "anna@example.com", primary: false },
      { type: "home", value: "h@example.com", primary: true },
    ]);
    const back = patch([{ op: "replace", path: 'emails[type eq "work"].primary', value: true }], document);
    expect(back.document.emails).toEqual([
      { type: "work", value: "anna@example.com", primary: true },
      { type: "home", value: "h@example.com", primary: false },
    ]);
  });

  it("skips values that a list already has", () => {
    const value = [{ type: "work", value: "anna@example.com", primary: true }];
    expect(patch([{ op: "add", path: "emails", value }]).document).toEqual(base());
  });

  it("clears an attribute by an empty value and by remove", () => {
    expect(patch([{ op: "replace", path: "title", value: "" }]).document.title).toBeUndefined();
    expect(patch([{ op: "remove", path: "title" }]).document.title).toBeUndefined();
    expect(patch([{ op: "remove", path: "name.givenName" }]).document.name).toEqual({ familyName: "Berg" });
    expect(patch([{ op: "remove", path: 'emails[type eq "work"]' }]).document.emails).toBeUndefined();
    expect(patch([{ op: "remove", path: 'emails[type eq "none"]' }]).document).toEqual(base());
    expect(patch([{ op: "remove", path: "nickName" }]).document).toEqual(base());
  });

  it("takes manager[…] as the manager, and a list of one as its entry", () => {
    const { document } = patch([{ op: "add", path: `${enterprise}:manager[value eq "3"]`, value: [{ value: "3" }] }]);
    expect(document[enterprise]).toEqual({ manager: { value: "3" } });
  });

  it("ignores read-only attributes from clients: id, meta, schemas, groups, password", () => {
    const { document } = patch([
      { op: "replace", value: { id: "9", meta: {}, schemas: [], groups: [], password: "x", displayName: "A" } },
    ]);
    expect(document).toEqual({ ...base(), displayName: "A" });
  });

  it("keeps members of unknown extensions separate", () => {
    const draft = patch([{ op: "add", path: "urn:example:tenant:1.0:User:badge", value: "5" }]);
    expect(draft.document).toEqual(base());
    expect(draft.unknown).toEqual({ "urn:example:tenant:1.0:User:badge": "5" });
  });

  it("reads custom fields in both forms", () => {
    const urn = "urn:ietf:params:scim:schemas:extension:Xurrent:1.0:custom_fields";
    expect(patch([{ op: "add", path: `${urn}:payroll_id`, value: "12" }]).customFields).toEqual({ payroll_id: "12" });
    const draft = startDraft(null);
    mergeBody(userResource, draft, { [urn]: { custom_fields: [{ id: "a", value: 1 }] } }, "replace");
    mergeBody(userResource, draft, { [urn]: { b: 2 } }, "replace");
    expect(draft.customFields).toEqual({ a: 1, b: 2 });
  });

  it.each([
    [[{ op: "replace", path: "nosuch", value: 1 }], "invalidPath"],
    [[{ op: "replace", value: { nosuch: 1 } }], "invalidPath"],
    [[{ op: "replace", path: 'nosuch[a eq "b"]', value: 1 }], "invalidPath"],
    [[{ op: "replace", path: 'emails[type eq "work"', value: "x" }], "invalidPath"],
    [[{ op: "replace", path: 'emails[nosuch eq "work"]', value: "x" }], "invalidFilter"],
    [[{ op: "remove" }], "noTarget"],
    [[{ op: "move", path: "title" }], "invalidSyntax"],
    [[{ op: "replace", path: "active", value: "maybe" }], "invalidValue"],
    [[{ op: "replace", path: "title", value: { a: 1 } }], "invalidValue"],
    [[{ op: "replace", value: "text" }], "invalidValue"],
    [[{ op: "replace", path: `${enterprise}:manager.displayName`, value: "x" }], "mutability"],
    ["text", "invalidSyntax"],
    [["text"], "invalidSyntax"],
  ])("refuses %j with %s", (operations, scimType) => {
    expect(() => patch(operations)).toThrowError(expect.objectContaining({ status: 400, scimType }));
  });

  it("collects member changes without reading the members", () => {
    const changes = patchGroup([
      { op: "Add", path: "members", value: [{ value: "1" }, { value: "2" }] },
      { op: "Remove", path: "members", value: [{ value: "1" }] },
      { op: "remove", path: 'members[value eq "2"]' },
      { op: "replace", value: { id: "5", displayName: "H" } },
    ]);
    expect(changes.document).toEqual({ displayName: "H" });
    expect(changes.memberChanges).toEqual([
      { kind: "add", ids: ["1", "2"] },
      { kind: "remove", ids: ["1"] },
      { kind: "remove matching", filter: expect.anything() },
    ]);
    expect(patchGroup([{ op: "remove", path: "members" }]).memberChanges).toEqual([{ kind: "replace", ids: [] }]);
  });

  it("adds members in the plain form, and removes those marked", () => {
    const draft = startDraft(null);
    const members = [{ value: "1" }, { value: "2", operation: "delete" }];
    mergeBody(groupResource, draft, { members }, "add");
    expect(draft.memberChanges).toEqual([
      { kind: "add", ids: ["1"] },
      { kind: "remove", ids: ["2"] },
    ]);
  });
});
