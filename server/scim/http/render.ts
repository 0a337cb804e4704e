import type { Members } from "../change/draft.ts";
import type { Resource } from "../schema/attribute.ts";
import type { Stored } from "../store/stored.ts";
import { buildVersion } from "../store/write.ts";
import { type Selection, selectMembers } from "./selection.ts";

export const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** `base`: the address below which the resources are. */
export function renderResource(resource: Resource, stored: Stored, base: string, selection: Selection): Members {
  const { schema, extensions, endpoint, name } = resource;
  const { document, related } = stored;
  const members: Members = {
    schemas: [schema.urn, ...extensions.map(({ urn }) => urn).filter((urn) => urn in document)],
    id: String(stored.id),
    ...document,
    meta: {
      resourceType: name,
      created: stored.createdAt,
      lastModified: stored.updatedAt,
      location: `${base}${endpoint}/${stored.id}`,
      version: buildVersion(stored),
    },
  };
  if (related !== null && related.length > 0) {
    const isUser = name === "User";
    members[isUser ? "groups" : "members"] = related.map(({ value, display, type }) => ({
      value,
      $ref: `${base}${isUser || type === "Group" ? "/Groups" : "/Users"}/${value}`,
      ...(display === null ? {} : { display }),
      type,
    }));
  }
  return selectMembers(members, selection);
}

export const renderList = (
  resources: readonly Members[],
  { total, startIndex }: { total: number; startIndex: number },
): Members => ({
  schemas: [listSchema],
  totalResults: total,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
});
