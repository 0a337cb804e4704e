import type { Members } from "../change/draft.ts";
import { ScimError } from "../errors.ts";
import type { Attribute, Resource, Schema } from "../schema/attribute.ts";
import { groupResource, groupSchema } from "../schema/group.ts";
import { enterpriseSchema, userResource, userSchema } from "../schema/user.ts";
import { pageSize } from "./list-parameters.ts";
import { renderList } from "./render.ts";

// The capabilities of the interface, for clients that ask (RFC 7643, sections 5 to 7).

const schemas = [userSchema, enterpriseSchema, groupSchema];

/** The document at a discovery path; null: it is another path. */
export function findDiscovery([word, name, ...rest]: readonly string[], base: string): Members | null {
  if (rest.length > 0) return null;
  if (word === "ServiceProviderConfig" && name === undefined) return describeService(base);
  if (word === "Schemas")
    return pickOne(
      schemas.map((schema) => describeSchema(schema, base)),
      name,
    );
  if (word === "ResourceTypes")
    return pickOne(
      [userResource, groupResource].map((resource) => describeResource(resource, base)),
      name,
    );
  return null;
}

export const isDiscovery = ([word]: readonly string[]): boolean =>
  word === "ServiceProviderConfig" || word === "Schemas" || word === "ResourceTypes";

function pickOne(all: readonly Members[], id: string | undefined): Members {
  if (id === undefined) return renderList(all, { total: all.length, startIndex: 1 });
  const found = all.find((each) => String(each.id).toLowerCase() === id.toLowerCase());
  if (found === undefined) throw new ScimError(404, null, "There is no such document.");
  return found;
}

const describeService = (base: string): Members => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: pageSize },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "The SCIM token of the account, made in its settings.",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const describeResource = ({ name, endpoint, description, schema, extensions }: Resource, base: string): Members => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  id: name,
  name,
  endpoint,
  description,
  schema: schema.urn,
  ...(extensions.length === 0
    ? {}
    : { schemaExtensions: extensions.map(({ urn }) => ({ schema: urn, required: false })) }),
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
});

const describeSchema = ({ urn, name, description, attributes }: Schema, base: string): Members => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  id: urn,
  name,
  description,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: "Schema", location: `${base}/Schemas/${urn}` },
});

function describeAttribute(attribute: Attribute): Members {
  const { name, description, type = "string", members, canonicalValues, referenceTypes } = attribute;
  const isText = type === "string" || type === "reference";
  return {
    name,
    type,
    multiValued: attribute.multiValued === true,
    description,
    required: attribute.required === true,
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    ...(isText ? { caseExact: attribute.caseExact === true } : {}),
    mutability: attribute.mutability ?? "readWrite",
    returned: attribute.returned ?? "default",
    ...(type === "complex" ? {} : { uniqueness: attribute.uniqueness ?? "none" }),
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(members === undefined ? {} : { subAttributes: members.map(describeAttribute) }),
  };
}
