// A reference in the format of the API: the id of the other record, and its name.

export type Reference = {
  id: number | string;
  name?: string;
  subject?: string;
  disabled?: boolean;
  account?: { id: string; name: string };
};

export const getReferenceName = (reference: Reference): string =>
  reference.name ?? reference.subject ?? `#${reference.id}`;

const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "id" in value;

/** The value of a reference field; null if it is empty. */
export const readReference = (value: unknown): Reference | null => (isReference(value) ? value : null);
