// The vocabulary of SCIM schemas (RFC 7643, section 7). What an attribute leaves out has the default of the RFC.

export type Attribute = {
  name: string;
  description: string;
  /** text by default */
  type?: "boolean" | "dateTime" | "reference" | "complex";
  multiValued?: true;
  required?: true;
  /** letters in other case are other values */
  caseExact?: true;
  mutability?: "readOnly" | "writeOnly";
  returned?: "always" | "never";
  uniqueness?: "server";
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  /** the members of a complex attribute */
  members?: readonly Attribute[];
};

export type Schema = { urn: string; name: string; description: string; attributes: readonly Attribute[] };

export type Resource = {
  name: "User" | "Group";
  endpoint: "/Users" | "/Groups";
  description: string;
  schema: Schema;
  extensions: readonly Schema[];
  /** left out of lists unless a client asks for it */
  omittedFromLists: readonly string[];
};

/** Attributes that every resource has (RFC 7643, section 3.1). */
export const commonAttributes: readonly Attribute[] = [
  {
    name: "schemas",
    description: "The schemas of the resource.",
    type: "reference",
    multiValued: true,
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
  },
  {
    name: "id",
    description: "The id of the resource, given by the service.",
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
    uniqueness: "server",
  },
  {
    name: "externalId",
    description: "The key of the resource at the provisioning client.",
    caseExact: true,
    uniqueness: "server",
  },
  {
    name: "meta",
    description: "Facts about the resource.",
    type: "complex",
    mutability: "readOnly",
    members: [
      { name: "resourceType", description: "The name of the resource type.", caseExact: true, mutability: "readOnly" },
      { name: "created", description: "When it was created.", type: "dateTime", mutability: "readOnly" },
      { name: "lastModified", description: "When it was changed last.", type: "dateTime", mutability: "readOnly" },
      {
        name: "location",
        description: "The address of the resource.",
        type: "reference",
        caseExact: true,
        mutability: "readOnly",
        referenceTypes: ["uri"],
      },
      {
        name: "version",
        description: "The version of the resource, as in the header ETag.",
        caseExact: true,
        mutability: "readOnly",
      },
    ],
  },
];

const attributesByName = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** Names of attributes do not regard case. */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  let byName = attributesByName.get(attributes);
  if (byName === undefined) {
    byName = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    attributesByName.set(attributes, byName);
  }
  return byName.get(name.toLowerCase());
};

const attributesWithCommon = new WeakMap<Schema, readonly Attribute[]>();

/** The attributes of the main schema of a resource, with those that every resource has. */
export function listOwnAttributes({ schema }: Resource): readonly Attribute[] {
  const known = attributesWithCommon.get(schema) ?? [...commonAttributes, ...schema.attributes];
  attributesWithCommon.set(schema, known);
  return known;
}
