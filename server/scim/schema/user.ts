import type { Attribute, Resource, Schema } from "./attribute.ts";

// Schemas of SCIM users.

/** A list of values with a type, of which one is the primary one. */
const listOfValues = (name: string, description: string, canonicalValues: readonly string[] = []): Attribute => ({
  name,
  description,
  type: "complex",
  multiValued: true,
  members: [
    { name: "value", description: "The value." },
    { name: "display", description: "The value as people read it." },
    { name: "type", description: "What it is used for.", ...(canonicalValues.length === 0 ? {} : { canonicalValues }) },
    { name: "primary", description: "Whether it is the preferred one; at most one is.", type: "boolean" },
  ],
});

const name: Attribute = {
  name: "name",
  description: "The parts of the name.",
  type: "complex",
  members: [
    { name: "formatted", description: "The whole name." },
    { name: "familyName", description: "The family name." },
    { name: "givenName", description: "The given name." },
    { name: "middleName", description: "The middle names." },
    { name: "honorificPrefix", description: "A title before the name." },
    { name: "honorificSuffix", description: "A suffix after the name." },
  ],
};

const addresses: Attribute = {
  name: "addresses",
  description: "Postal addresses.",
  type: "complex",
  multiValued: true,
  members: [
    { name: "formatted", description: "The whole address." },
    { name: "streetAddress", description: "Street and number." },
    { name: "locality", description: "City." },
    { name: "region", description: "State or region." },
    { name: "postalCode", description: "Postal code." },
    { name: "country", description: "Country." },
    { name: "type", description: "What it is used for.", canonicalValues: ["work", "home", "other"] },
    { name: "primary", description: "Whether it is the preferred one; at most one is.", type: "boolean" },
  ],
};

const groups: Attribute = {
  name: "groups",
  description: "The groups that the user is a member of.",
  type: "complex",
  multiValued: true,
  mutability: "readOnly",
  members: [
    { name: "value", description: "The id of the group.", caseExact: true, mutability: "readOnly" },
    {
      name: "$ref",
      description: "The address of the group.",
      type: "reference",
      caseExact: true,
      mutability: "readOnly",
      referenceTypes: ["Group"],
    },
    { name: "display", description: "The name of the group.", mutability: "readOnly" },
    { name: "type", description: "How the user belongs to it.", mutability: "readOnly", canonicalValues: ["direct"] },
  ],
};

export const userSchema: Schema = {
  urn: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  description: "User Account",
  attributes: [
    {
      name: "userName",
      description: "The name that identifies the user; should be the primary e-mail address.",
      required: true,
      uniqueness: "server",
    },
    name,
    { name: "displayName", description: "The name as other people see it." },
    { name: "nickName", description: "A casual name." },
    { name: "profileUrl", description: "A page about the user.", type: "reference", referenceTypes: ["external"] },
    { name: "title", description: "The job title." },
    { name: "userType", description: "The relation to the organization, such as VIP." },
    { name: "preferredLanguage", description: "The preferred language." },
    { name: "locale", description: "The locale, such as en-US." },
    { name: "timezone", description: "The time zone, such as Europe/Amsterdam." },
    { name: "active", description: "Whether the user may sign in.", type: "boolean" },
    {
      name: "password",
      description: "Accepted and ignored: never stored.",
      mutability: "writeOnly",
      returned: "never",
    },
    listOfValues("emails", "E-mail addresses.", ["work", "home", "other"]),
    listOfValues("phoneNumbers", "Telephone numbers.", ["work", "home", "mobile", "fax", "pager", "other"]),
    listOfValues("ims", "Addresses of instant messengers."),
    listOfValues("photos", "Addresses of pictures.", ["photo", "thumbnail"]),
    addresses,
    groups,
    listOfValues("entitlements", "What the user is entitled to."),
    listOfValues("roles", "Roles at the provider; they give no roles here."),
    listOfValues("x509Certificates", "Certificates."),
  ],
};

export const enterpriseSchema: Schema = {
  urn: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  description: "Enterprise User",
  attributes: [
    { name: "employeeNumber", description: "The number of the employee." },
    { name: "costCenter", description: "The cost centre." },
    { name: "organization", description: "The name of the organization." },
    { name: "division", description: "The division." },
    { name: "department", description: "The department." },
    {
      name: "manager",
      description: "The manager.",
      type: "complex",
      members: [
        { name: "value", description: "The id of the SCIM user that is the manager." },
        {
          name: "$ref",
          description: "The address of the manager.",
          type: "reference",
          referenceTypes: ["User"],
        },
        { name: "displayName", description: "The name of the manager.", mutability: "readOnly" },
      ],
    },
    { name: "site", description: "The name of the site." },
    { name: "location", description: "The place at the site." },
    { name: "supportID", description: "The id by which the service desk finds the user." },
  ],
};

/** Two spellings of the schema of custom fields; read even when the resource does not list them. */
export const customFieldSchemas: readonly string[] = [
  "urn:ietf:params:scim:schemas:extension:4me:1.0:custom_fields",
  "urn:ietf:params:scim:schemas:extension:Xurrent:1.0:custom_fields",
];

export const userResource: Resource = {
  name: "User",
  endpoint: "/Users",
  description: "User Account",
  schema: userSchema,
  extensions: [enterpriseSchema],
  omittedFromLists: [],
};
