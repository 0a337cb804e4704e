/** Values of a form are what JSON can hold, because drafts are stored as such. */
export const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** TypeScript allows further members in any object; the values of a form have none. */
export const listNames = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values)[];

/** The changes of a form as they are stored; empty where the text is none. */
export function parseChanges<Values extends object>(text: string): Partial<Values> {
  try {
    const parsed: unknown = JSON.parse(text);
    // The form itself has written the text: its members are values of the form.
    return typeof parsed === "object" && parsed !== null ? (parsed as Partial<Values>) : {};
  } catch {
    return {};
  }
}

/** Only what differs from the form as it opens: values that others save meanwhile are not taken back. */
export function formatChanges<Values extends object>(values: Values, base: Values): string {
  const changed = listNames(values).filter((name) => !isSameValue(values[name], base[name]));
  return changed.length === 0 ? "" : JSON.stringify(Object.fromEntries(changed.map((name) => [name, values[name]])));
}
