import type { Type } from "../../engine/types.ts";

// Fields and inputs of the public interface that are made of values which REST shows and takes in another form (D-382).

/**
 * The source of a computed field. `make` names the function that builds it (read/made-values.ts) and its type
 * (schema/made-types.ts); `members`: of the REST record.
 */
export type MadeField = { make: MadeKind; members: readonly string[]; target?: string };

export type MadeKind =
  | "activity ids"
  | "code"
  | "decimal"
  | "feedback"
  | "json"
  | "languages"
  | "note"
  | "permissions"
  | "protocol"
  | "recurrence"
  | "recurrence template"
  | "text"
  | "uri"
  | "visibility";

const activityIds = ["low", "medium", "high", "top", "rfc", "rfi", "case"].map((kind) => `activityID_${kind}`);
export const contactMembers = ["telephone", "email", "website", "chat"];
const code = (member: string, target: string): MadeField => ({ make: "code", members: [member], target });

// biome-ignore format: a table keeps its columns
const madeFields: Record<string, Record<string, MadeField>> = {
  ci:                        { recurrence: { make: "recurrence", members: ["recurrence"] } },
  contact:                   { protocol: { make: "protocol", members: contactMembers }, uri: { make: "uri", members: contactMembers } },
  custom_collection_element: { customCollection: code("custom_collection", "custom_collection") },
  note:                      { visibility: { make: "visibility", members: ["internal"] } },
  note_reaction:             { reaction: { make: "text", members: ["reaction"] } },
  person:                    { doNotTranslateLanguages: { make: "languages", members: ["do_not_translate_languages"] }, permissions: { make: "permissions", members: [] } },
  product:                   { productCategory: code("category", "product_category"), recurrence: { make: "recurrence template", members: ["recurrence"] } },
  request:                   { feedback: { make: "feedback", members: ["feedback"] }, rfcType: code("rfc_type", "rfc_type") },
  request_template:          { rfcType: code("rfc_type", "rfc_type") },
  reservation:               { recurrence: { make: "recurrence", members: ["recurrence"] } },
  rfc_type_rate:             { rfcType: code("rfc_type", "rfc_type") },
  service_offering:          { availability: { make: "decimal", members: ["availability"] }, reliability: { make: "text", members: ["reliability"] } },
  shop_order_line:           { shopArticle: code("shop_article", "shop_article") },
  sla:                       { activityID: { make: "activity ids", members: activityIds } },
  survey_response:           { ratingCalculation: { make: "json", members: ["rating_calculation_json"] } },
  time_entry:                { note: { make: "note", members: ["note_id"] } },
  ui_extension_version:      { formDefinition: { make: "json", members: ["form_definition"] } },
  workflow_template:         { recurrence: { make: "recurrence", members: ["recurrence"] }, workflowType: code("workflow_type", "workflow_type") },
};

/** The fields of a type that are made, where it has what they are made of. */
export const pickMadeFields = (type: Type): [string, MadeField][] =>
  Object.entries(madeFields[type.name] ?? {}).filter(([, { members }]) =>
    members.every((member) => type.outputFields.includes(member)),
  );

export const isMadeConnection = ({ make }: MadeField): boolean => make === "permissions";

export type MadeInputKind =
  | "activity ids"
  | "added permissions"
  | "decimal"
  | "id of a code"
  | "id of a note"
  | "languages"
  | "permissions"
  | "protocol"
  | "recurrence"
  | "removed permissions"
  | "reservation recurrence"
  | "text"
  | "uri";

/** An input, and the member of the body that it writes; roles are saved beside the record. */
export type MadeInput = { make: MadeInputKind; member: string; target?: string; isRequired?: true };

const id = (member: string, target: string): MadeInput => ({ make: "id of a code", member, target });

// biome-ignore format: a table keeps its columns
const madeInputs: Record<string, Record<string, MadeInput>> = {
  ci:                        { recurrence: { make: "recurrence", member: "recurrence" } },
  contact:                   { protocol: { make: "protocol", member: "protocol" }, uri: { make: "uri", member: "uri" } },
  custom_collection_element: { customCollectionId: id("custom_collection", "custom_collection") },
  person:                    {
    accountPermissionsToDelete: { make: "removed permissions", member: "roles" },
    doNotTranslateLanguages:    { make: "languages",           member: "do_not_translate_languages" },
    newAccountPermissions:      { make: "added permissions",   member: "roles" },
    permissions:                { make: "permissions",         member: "roles" },
  },
  product:                   { productCategoryId: id("category", "product_category"), recurrence: { make: "recurrence", member: "recurrence" } },
  request:                   { rfcTypeId: id("rfc_type", "rfc_type") },
  request_template:          { rfcTypeId: id("rfc_type", "rfc_type") },
  reservation:               { recurrence: { make: "reservation recurrence", member: "recurrence" } },
  rfc_type_rate:             { rfcTypeId: id("rfc_type", "rfc_type") },
  service_offering:          { availability: { make: "decimal", member: "availability" }, reliability: { make: "text", member: "reliability" } },
  shop_order_line:           { shopArticleId: { ...id("shop_article", "shop_article"), isRequired: true } },
  sla:                       { activityID: { make: "activity ids", member: "activityID" } },
  time_entry:                { noteId: { make: "id of a note", member: "note_id" } },
  workflow_template:         { recurrence: { make: "recurrence", member: "recurrence" }, workflowTypeId: id("workflow_type", "workflow_type") },
};

export const pickMadeInputs = (type: Type): [string, MadeInput][] => Object.entries(madeInputs[type.name] ?? {});

/** Inputs that a made one takes the place of, although they have another name. */
export const replacedInputs: Record<string, readonly string[]> = {
  shop_order_line: ["shop_article"],
  time_entry: ["note_id"],
};
