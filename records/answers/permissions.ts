import {
  answer,
  boolean,
  choice,
  either,
  integer,
  list,
  noted,
  object,
  operations,
  optional,
  orNull,
  string,
  strings,
  word,
} from "../vocabulary/index.ts";

// The roles of people, and what they may do by them.

/** An account inside another answer. */
export const accountReference = answer("AccountReference", {
  id: noted("the value of the `account` header", string()),
  name: string(),
});
const role = choice("permission.role");
export const permission = answer("Permission", { account: accountReference, roles: list(role) });
const example = { account: { id: "widget-it", name: "Widget IT" }, roles: ["specialist", "workflow_manager"] };

const query = { roles: noted("Roles, comma-separated.", optional(list(role))) };
const change = {
  description:
    "Available to administrators of the account in the path. Administrators can't remove their own administrator role.",
  query,
  body: noted("The roles, if they aren't in the query string.", optional(object({ roles: optional(list(role)) }))),
  bodyExample: { roles: example.roles },
  answer: permission,
  answers: "The person's roles in the account.",
  example,
};

export const permissionOperations = operations({
  "GET /people/:id/permissions": {
    id: "listPermissionsOfPerson",
    summary: "List the roles of a person, by account",
    hasFields: true,
    isPaged: true,
    answer: list(permission),
    answers: "The person's roles in each account.",
    example: [example],
  },
  "GET /people/:id/permissions/:account": {
    id: "getPermissionOfPerson",
    summary: "Retrieve a person's roles in an account",
    hasFields: true,
    answer: permission,
    answers: "The person's roles in the account.",
    example,
  },
  "POST /people/:id/permissions/:account": {
    id: "addRolesOfPerson",
    summary: "Add roles to a person in an account",
    ...change,
  },
  "PATCH /people/:id/permissions/:account": {
    id: "replaceRolesOfPerson",
    summary: "Replace a person's roles in an account",
    ...change,
  },
  "PUT /people/:id/permissions/:account": {
    id: "putRolesOfPerson",
    summary: "Replace a person's roles in an account (the same as PATCH)",
    ...change,
  },
  "DELETE /people/:id/permissions/:account": {
    id: "removeRolesOfPerson",
    summary: "Remove roles from a person in an account",
    description: "Removes the roles in `roles`, or all roles if it's omitted.",
    query,
    answer: null,
  },
  "DELETE /people/:id/permissions": {
    id: "removeAllRolesOfPerson",
    summary: "Remove all of a person's roles in every account",
    description: "Available to administrators of the person's account.",
    answer: null,
  },
});

/** The reason for a permission. */
export const reason = object({
  role: noted("A role, or `everyone`.", string()),
  account: noted("The account in which the person has the role.", string()),
  condition: noted(
    "Conditions of which at least one must be met: `field:manager` if the field refers to the person, `rule:` and a description for any other rule. Empty: applies to every record.",
    strings,
  ),
  fields: noted("The fields the reason applies to; null: all fields.", orNull(strings)),
});
export const right = object({
  allowed: boolean,
  extent: noted("Which records: all, some (those that meet a condition) or none.", word("all", "some", "none")),
  because: list(reason),
  fields: noted("The fields the person can write; null: all writable fields.", orNull(strings)),
  needs: noted("Roles that would grant the permission if it isn't granted.", list(role)),
});
/** The ties between a person and a record: a field that names them, a team, an organization, or an absent person. */
export const tie = object({
  kind: word("field", "team", "organization", "delegation"),
  field: string(),
  name: orNull(string()),
});
export const rights = object({
  on: object({ type: string(), id: optional(integer()) }),
  barred: noted(
    "The reason the person has no permissions at all.",
    orNull(word("disabled", "other account", "inactive")),
  ),
  see: right,
  create: right,
  change: right,
  delete: right,
  archive: right,
  not_fields: noted("Fields that only administrators can change.", strings),
  ties: noted("How the person is related to the record.", list(tie)),
});
const none = { allowed: false, extent: "none", because: [], fields: null, needs: ["account_administrator"] };
const exampleReason = { role: "specialist", account: "widget-it", condition: [], fields: null };
const all = { allowed: true, extent: "all", because: [exampleReason], fields: null, needs: [] };

export const rightsOperations = operations({
  "GET /people/:id/rights": {
    id: "getRightsOfPerson",
    summary: "Retrieve a person's permissions and their reasons",
    description:
      "Available to account administrators, and to people for their own permissions. Without `on`, returns a list with one entry per record type.",
    query: { on: noted("A record type or a record, such as `request` or `request:48213`.", optional(string())) },
    answer: either(rights, list(rights)),
    answers: "The person's permissions.",
    example: {
      on: { type: "request", id: 48213 },
      barred: null,
      ...{ see: all, create: all, change: all, delete: none, archive: none },
      not_fields: ["source", "sourceID"],
      ties: [{ kind: "team", field: "team", name: "Networks" }],
    },
  },
});
