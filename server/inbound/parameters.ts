import { monitoringEventMembers } from "../../records/answers/monitoring-events.ts";
import { enumerations } from "../../records/enumerations/index.ts";

// ML5: parameters are lines "#name: value" at the start of a mail.

export type MailParameters = {
  /** named as in the API of monitoring events */
  members: Readonly<Record<string, string>>;
  customFields: Readonly<Record<string, string>>;
  /** the body becomes an internal note */
  internal: boolean;
  /** the text/plain part is used as markup */
  markdown: boolean;
  /** the address of the person on whose behalf the sender writes */
  from: string | null;
  /** the text below the parameters */
  rest: string;
};

const ownNames = ["internal", "markdown", "time_spent", "end", "from"];
// The sender and the addressed account are known from the mail itself.
const excludedNames = ["requested_by", "requested_by_id", "support_domain"];
const knownNames = new Map(
  [...Object.keys(monitoringEventMembers).filter((name) => !excludedNames.includes(name)), ...ownNames].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
/** Whether a field with this name can come from a parameter. */
export const isParameter = (name: string): boolean => name === "custom_fields" || knownNames.has(name.toLowerCase());

/** #incident means #category: incident */
const shortcuts = new Map(
  (["category", "impact", "status", "completion_reason"] as const)
    .flatMap((field) => enumerations[`request.${field}`].map((value: string) => [value, field] as const))
    .reverse(),
);
const parameterPattern = /^#([A-Za-z]\w*)(?:\s*:\s*(.*))?$/;
const maxLineLength = 4000;
const parseFlag = (value: string | undefined): boolean => value === undefined || /^(1|t|y|true|yes|on|)$/i.test(value);

type ParameterLine = { name: string; value: string | undefined } | null;

function parseLine(line: string): ParameterLine {
  const [, word, value] = line.length > maxLineLength ? [] : (parameterPattern.exec(line.trim()) ?? []);
  if (word === undefined) return null;
  const custom = /^custom_field_(\w{1,128})$/i.exec(word)?.[1];
  if (custom !== undefined) return { name: `custom_field_${custom}`, value };
  const name = knownNames.get(word.toLowerCase());
  if (name !== undefined) return { name, value };
  const field = value === undefined ? shortcuts.get(word.toLowerCase()) : undefined;
  return field === undefined ? null : { name: field, value: word.toLowerCase() };
}

/** `spaced`: the text comes from HTML, whose paragraphs have empty lines between them; these do not end the parameters. */
export function parseParameters(text: string, spaced: boolean): MailParameters {
  const lines = text.split("\n");
  const members: Record<string, string> = {};
  const customFields: Record<string, string> = {};
  const flags = { internal: false, markdown: false };
  let from: string | null = null;
  let at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      if (spaced && parseLine(lines[at + 1] ?? "") !== null) continue;
      break;
    }
    const found = parseLine(line);
    if (found === null || found.name === "end") {
      if (found !== null) at++;
      break;
    }
    const { name, value } = found;
    if (name === "internal" || name === "markdown") flags[name] = parseFlag(value);
    else if (name === "from") from = value ?? null;
    else if (name.startsWith("custom_field_")) customFields[name.slice(13)] = value ?? "";
    else if (value !== undefined) members[name] = value;
  }
  return { members, customFields, ...flags, from, rest: lines.slice(at).join("\n").trim() };
}

export const buildNoParameters = (text: string): MailParameters => ({
  members: {},
  customFields: {},
  internal: false,
  markdown: false,
  from: null,
  rest: text,
});
