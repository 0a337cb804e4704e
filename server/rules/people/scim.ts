import { scimGroup } from "../../../records/people/scim-group.ts";
import { scimUser } from "../../../records/people/scim-user.ts";
import { rulesFor } from "../../engine/rules.ts";
import { buildParentCondition } from "../shared/parent-condition.ts";

// Memberships of SCIM groups are rows of a table of their own: one more member of a large group is one more row.

export const scimUserRules = rulesFor(scimUser, {
  conditions: {
    "is a member of that group": buildParentCondition(
      "member of group",
      (row, parent) =>
        `${row}.id IN (SELECT member_id FROM scim_group_members WHERE group_id = ${parent} AND NOT is_group)`,
    ),
  },
});

export const scimGroupRules = rulesFor(scimGroup, {
  conditions: {
    "has that user as a member": buildParentCondition(
      "group of user",
      (row, parent) => `${row}.id IN (SELECT group_id FROM scim_group_members WHERE member_id = ${parent})`,
    ),
  },
});
