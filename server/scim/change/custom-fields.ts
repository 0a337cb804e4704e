import { isObject } from "../filter/match-filter.ts";
import { customFieldSchemas } from "../schema/user.ts";
import { type Draft, isEmpty } from "./draft.ts";

/** The part of a name behind the schema of custom fields: "" for the schema itself, null for another name. */
export function cutCustomFieldSchema(name: string): string | null {
  const lower = name.toLowerCase();
  for (const urn of customFieldSchemas) {
    if (!lower.startsWith(urn.toLowerCase())) continue;
    if (name.length === urn.length) return "";
    if (name[urn.length] === ":") return name.slice(urn.length + 1);
  }
  return null;
}

/** Custom fields come as an object by id, or as a list of ids and values. */
export function mergeCustomFields(draft: Draft, id: string, value: unknown): void {
  if (id !== "" && id !== "custom_fields") {
    setCustomField(draft, id, value);
    return;
  }
  const list = Array.isArray(value)
    ? value
    : isObject(value) && Array.isArray(value.custom_fields)
      ? value.custom_fields
      : null;
  if (list !== null) {
    for (const each of list)
      if (isObject(each) && typeof each.id === "string") setCustomField(draft, each.id, each.value);
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) setCustomField(draft, name, each);
  } else if (isEmpty(value)) draft.customFields = {};
}

function setCustomField(draft: Draft, id: string, value: unknown): void {
  if (isEmpty(value)) delete draft.customFields[id];
  else draft.customFields[id] = value;
}
