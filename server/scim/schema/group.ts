import type { Resource, Schema } from "./attribute.ts";

// The schema of SCIM groups.

export const groupSchema: Schema = {
  urn: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  description: "Group",
  attributes: [
    { name: "displayName", description: "The name of the group.", required: true, uniqueness: "server" },
    { name: "groupType", description: "What the group stands for, such as Organization, Site or Team." },
    {
      name: "members",
      description: "The users of the group.",
      type: "complex",
      multiValued: true,
      members: [
        { name: "value", description: "The id of the SCIM user.", caseExact: true },
        {
          name: "$ref",
          description: "The address of the SCIM user.",
          type: "reference",
          caseExact: true,
          mutability: "readOnly",
          referenceTypes: ["User", "Group"],
        },
        { name: "display", description: "The userName of the SCIM user.", mutability: "readOnly" },
        { name: "type", description: "What the member is.", canonicalValues: ["User", "Group"] },
      ],
    },
  ],
};

export const groupResource: Resource = {
  name: "Group",
  endpoint: "/Groups",
  description: "Group",
  schema: groupSchema,
  extensions: [],
  omittedFromLists: ["members"],
};
