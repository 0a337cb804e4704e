import { useMemo } from "react";
import { formatSettingsChanges, isOutdated, parseSettingsChanges, type SettingsChanges } from "./settings-changes.ts";
import { type DraftHandle, useDraft } from "./use-draft.ts";

export type SettingsDraft<Values> = SettingsChanges<Values> & {
  values: Values;
  change(part: Partial<Values> | ((was: Values) => Partial<Values>)): void;
  isOutdated: boolean;
  draft: DraftHandle;
};

/**
 * The draft of a settings form for an existing object: a draft older than the saved values is detected and doesn't
 * silently replace them (D-790). `key`: below "settings/". `saved`: the form's initial values. They must not contain
 * secrets.
 */
export function useSettingsDraft<Values extends object>(key: string, saved: Values): SettingsDraft<Values> {
  const draft = useDraft(`settings/${key}`);
  const stored = useMemo(() => parseSettingsChanges(draft.text, saved), [draft.text, saved]);
  const values = useMemo(() => ({ ...saved, ...stored.changes }), [saved, stored]);
  return {
    ...stored,
    values,
    change: (part) =>
      draft.set(({ text }) => {
        const { changes, before } = parseSettingsChanges(text, saved);
        const was = { ...saved, ...changes };
        const now = { ...was, ...(typeof part === "function" ? part(was) : part) };
        return { text: formatSettingsChanges(now, saved, before) };
      }),
    isOutdated: isOutdated(stored, saved),
    draft: { ...draft, isEmpty: draft.isEmpty || Object.keys(stored.changes).length === 0 },
  };
}

/** A form prefilled by a link has its own draft: it must not open with the values of another one. */
export const buildDraftKey = (...parts: readonly (string | number | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .join("/")
    .slice(0, 150);
