import { deriveLabel } from "../../../records/languages/derive-label.ts";
import type { SecurityTrailEntry } from "../../api/administration.ts";
import { isMessage, t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel } from "../../languages/labels.ts";

/** Records that people know by their name: the number is shown only where the event has no name. */
const numbered: readonly string[] = ["application", "provider", "token", "passkey"];
/** Numbers of rows without a name or a page of their own. */
const withoutPage: readonly string[] = ["session", "mail"];

const detailLabel = (name: string): string => {
  const key = `trail.detail.${name}`;
  return isMessage(key) ? t(key) : fieldLabel(name);
};

/** Details whose values are codes; the others may hold texts that people wrote. */
const coded: readonly string[] = ["grant_type", "method", "by", "refused", "kind"];

const valueLabel = (value: string): string => {
  const key = `trail.value.${value}`;
  return isMessage(key) ? t(key) : value;
};

const listRoles = (roles: readonly unknown[]): string =>
  roles.map((role) => choiceLabel("permission.role", String(role))).join(", ");

function formatDetail(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatDetail).join(", ");
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return value === null ? t("value.none") : String(value);
}

const isChange = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;
const formatChange = ([before, after]: [unknown, unknown]): string =>
  `${formatDetail(before)} → ${formatDetail(after)}`;

/** In these events, all details are changed fields, apart from `by`. */
const eventsOfFields: readonly string[] = ["account-changed", "sign-in-policy-changed"];

/** The details of an event with their labels, with people, roles and codes by name. */
export function describeDetails({ event, subject, details }: SecurityTrailEntry): [label: string, text: string][] {
  const { by, ...fields } = details;
  const { changes, ...facts } = eventsOfFields.includes(event) ? { by, changes: fields } : details;
  const hidden = [...withoutPage, ...(typeof facts.name === "string" ? numbered : [])];
  const describeFact = (name: string, value: unknown): string => {
    if (name === "person") return subject ?? `#${String(value)}`;
    if (event === "roles-changed" && Array.isArray(value)) return listRoles(value);
    if (coded.includes(name)) return valueLabel(String(value));
    if (name === "changed" && Array.isArray(value)) return value.map((field) => fieldLabel(String(field))).join(", ");
    return formatDetail(value);
  };
  const described = [
    ...Object.entries(facts)
      .filter(([name, value]) => value !== null && value !== undefined && !hidden.includes(name))
      .map(([name, value]): [string, string] => [detailLabel(name), describeFact(name, value)]),
    ...Object.entries(changes ?? {}).map(([name, value]): [string, string] => [
      fieldLabel(name),
      isChange(value) ? formatChange(value) : formatDetail(value),
    ]),
  ];
  return described.filter(([, text]) => text !== "");
}

export const eventLabel = (event: string): string => {
  const key = `trail.event.${event}`;
  return isMessage(key) ? t(key) : deriveLabel(event.replaceAll("-", "_"));
};
