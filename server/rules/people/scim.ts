import { scimGroup } from "../../../records/people/scim-group.ts";
import { scimUser } from "../../../records/people/scim-user.ts";
import { rulesFor } from "../../engine/rules.ts";
import { buildLinkedToParentCondition } from "../shared/parent-condition.ts";

// Memberships of SCIM groups are rows of a table of their own: one more member of a large group is one more row.

export const scimUserRules = rulesFor(scimUser, {
  conditions: {
    "is a member of that group": buildLinkedToParentCondition("member of group", {
      table: "scim_group_members",
      own: "member_id",
      parent: "group_id",
      where: "NOT l.is_group",
    }),
  },
});

export const scimGroupRules = rulesFor(scimGroup, {
  conditions: {
    "has that user as a member": buildLinkedToParentCondition("group of user", {
      table: "scim_group_members",
      own: "group_id",
      parent: "member_id",
    }),
  },
});
