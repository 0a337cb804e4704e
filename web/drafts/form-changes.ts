/** Values of a form are limited to JSON, because drafts are stored as JSON. */
export const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** TypeScript allows further members in any object; the values of a form have none. */
export const listNames = <Values extends object>(values: Values) => Object.keys(values) as (keyof Values)[];

/** Parses the stored changes of a form; empty if the text isn't valid. */
export function parseChanges<Values extends object>(text: string): Partial<Values> {
  try {
    const parsed: unknown = JSON.parse(text);
    // The form itself wrote the text: its members are values of the form.
    return typeof parsed === "object" && parsed !== null ? (parsed as Partial<Values>) : {};
  } catch {
    return {};
  }
}

/**
 * Stores only values that differ from the form's initial ones, so that restoring a draft doesn't revert what others
 * saved meanwhile.
 */
export function formatChanges<Values extends object>(values: Values, base: Values): string {
  const changed = listNames(values).filter((name) => !isSameValue(values[name], base[name]));
  return changed.length === 0 ? "" : JSON.stringify(Object.fromEntries(changed.map((name) => [name, values[name]])));
}
