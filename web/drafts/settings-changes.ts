import { isSameValue, listNames, parseChanges } from "./form-changes.ts";

/** The changed fields of a form, and for each of them the saved value from which the change started. */
export type SettingsChanges<Values> = {
  changes: Partial<Values>;
  before: Partial<Record<keyof Values, unknown>>;
};

const longest = 10_000; // characters

/** Pictures are represented by their length and end: two of them exceed the size limit of a draft. */
function abbreviate(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length > longest ? `${text.length} ${text.slice(-200)}` : value;
}

/** Leaves out changes that are saved by now: the next change of such a field starts from the saved value. */
export function parseSettingsChanges<Values extends object>(text: string, saved: Values): SettingsChanges<Values> {
  const { changes = {}, before = {} } = parseChanges<SettingsChanges<Values>>(text);
  const differing: Partial<Values> = { ...changes };
  const origins: SettingsChanges<Values>["before"] = { ...before };
  for (const name of listNames(differing)) {
    if (!isSameValue(differing[name], saved[name])) continue;
    delete differing[name];
    delete origins[name];
  }
  return { changes: differing, before: origins };
}

/** `before`: the saved values from which earlier changes started; they are kept */
export function formatSettingsChanges<Values extends object>(
  values: Values,
  saved: Values,
  before: SettingsChanges<Values>["before"],
): string {
  const names = listNames(values).filter((name) => !isSameValue(values[name], saved[name]));
  if (names.length === 0) return "";
  return JSON.stringify({
    changes: Object.fromEntries(names.map((name) => [name, values[name]])),
    before: Object.fromEntries(names.map((name) => [name, name in before ? before[name] : abbreviate(saved[name])])),
  });
}

/** The saved value of a changed field is newer than the change. */
export const isOutdated = <Values extends object>(
  { changes, before }: SettingsChanges<Values>,
  saved: Values,
): boolean => listNames(changes).some((name) => !isSameValue(abbreviate(saved[name]), before[name]));
