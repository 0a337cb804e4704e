import { useMemo } from "react";
import { parseChanges } from "./form-changes.ts";
import { type DraftHandle, useDraft } from "./use-draft.ts";

// The form of a setting: the draft holds what was changed, together with the saved values that the change began with. A draft
// that is older than the saved values is recognized and does not replace them silently (D-790).

type Stored<Values> = { changes: Partial<Values>; before: Partial<Record<keyof Values, unknown>> };

export type SettingsDraft<Values> = Stored<Values> & {
  values: Values;
  change(part: Partial<Values> | ((was: Values) => Partial<Values>)): void;
  /** the saved value of a changed field is newer than the change */
  isOutdated: boolean;
  draft: DraftHandle;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const longest = 10_000; // characters

/** Pictures count by their length and end: two of them exceed the size of a draft. */
function abbreviate(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length > longest ? `${text.length} ${text.slice(-200)}` : value;
}

/** `changes` without those that are saved by now */
function parseStored<Values extends object>(text: string, saved: Values): Stored<Values> {
  const { changes = {}, before = {} } = parseChanges<Stored<Values>>(text);
  const differing = Object.entries(changes).filter(([name, value]) => !isSame(value, saved[name as keyof Values]));
  return { changes: Object.fromEntries(differing) as Partial<Values>, before };
}

function formatStored<Values extends object>(values: Values, saved: Values, before: Stored<Values>["before"]): string {
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => !isSame(values[name], saved[name]));
  if (names.length === 0) return "";
  return JSON.stringify({
    changes: Object.fromEntries(names.map((name) => [name, values[name]])),
    before: Object.fromEntries(names.map((name) => [name, name in before ? before[name] : abbreviate(saved[name])])),
  });
}

/** `key`: below "settings/". `saved`: the form as it opens. Secrets must not be among its values. */
export function useSettingsDraft<Values extends object>(key: string, saved: Values): SettingsDraft<Values> {
  const draft = useDraft(`settings/${key}`);
  const { changes, before } = useMemo(() => parseStored(draft.text, saved), [draft.text, saved]);
  const values = useMemo(() => ({ ...saved, ...changes }), [saved, changes]);
  const changed = Object.keys(changes) as (keyof Values)[];
  return {
    values,
    changes,
    before,
    change: (part) =>
      draft.set((was) => {
        const stored = parseStored(was.text, saved);
        const latest = { ...saved, ...stored.changes };
        const after = { ...latest, ...(typeof part === "function" ? part(latest) : part) };
        return { text: formatStored(after, saved, stored.before) };
      }),
    isOutdated: changed.some((name) => !isSame(abbreviate(saved[name]), before[name])),
    draft: { ...draft, isEmpty: draft.isEmpty || changed.length === 0 },
  };
}

/** A form that a link filled in has a draft of its own: it must not open with the values of another one. */
export const buildDraftKey = (...parts: readonly (string | number | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .join("/")
    .slice(0, 150);
