import type { FormField } from "../../../records/answers/portal-forms.ts";

// The values of a form as stored in a draft: one text per field.

export type FormValues = Readonly<Record<string, string>>;

export function parseDraft(text: string): FormValues {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter((entry) => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

/** Multiple choices are stored as lines. */
export const splitChoices = (value: string | undefined): string[] => (value ?? "").split("\n").filter(Boolean);

/** A field with a condition is shown while the field it refers to is shown and has one of the values. */
export function isShown(field: FormField, fields: readonly FormField[], values: FormValues, depth = 0): boolean {
  if (field.when === null) return true;
  const { field: id, is } = field.when;
  const other = fields.find((each) => each.id === id);
  if (other === undefined || depth > 10) return true;
  const answers = other.kind === "choices" ? splitChoices(values[id]) : [values[id] ?? ""];
  return isShown(other, fields, values, depth + 1) && answers.some((value) => is.includes(value));
}

const isInput = ({ kind }: FormField): boolean => kind !== "heading" && kind !== "help";

export const listInputs = (fields: readonly FormField[], values: FormValues): FormField[] =>
  fields.filter((field) => isInput(field) && isShown(field, fields, values));

/** The answers by field name, as the request stores them. */
export function buildCustomFields(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  const entries = listInputs(fields, values).flatMap((field): [string, unknown][] => {
    const value = values[field.id] ?? "";
    if (field.kind === "switch") return [[field.id, value === "true"]];
    if (value === "") return [];
    if (field.kind === "choices") return [[field.id, splitChoices(value)]];
    if (field.kind === "number") return [[field.id, Number(value.replace(",", "."))]];
    return [[field.id, value]];
  });
  return Object.fromEntries(entries);
}

export type Problem = "required" | "number" | "email";

export function findProblem(field: FormField, value: string): Problem | null {
  if (value.trim() === "" || (field.kind === "switch" && value !== "true")) return field.required ? "required" : null;
  if (field.kind === "number" && Number.isNaN(Number(value.replace(",", ".")))) return "number";
  if (field.kind === "email" && !/^\S+@\S+$/.test(value.trim())) return "email";
  return null;
}
