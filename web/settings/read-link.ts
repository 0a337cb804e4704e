/** The value of a field that refers to another record. */
export type LinkedRecord = { id: number; name?: string; subject?: string };

const toText = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Null: the field is empty, or has a value of another kind. */
export function readLink(value: unknown): LinkedRecord | null {
  if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "number") return null;
  const name = "name" in value ? toText(value.name) : undefined;
  const subject = "subject" in value ? toText(value.subject) : undefined;
  return { id: value.id, ...(name === undefined ? {} : { name }), ...(subject === undefined ? {} : { subject }) };
}
