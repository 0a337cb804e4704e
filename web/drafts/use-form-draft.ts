import { type DraftHandle, useDraft } from "./use-draft.ts";

/** The changes of a form as they are stored; empty where the text is none. */
export function parseChanges<Values extends object>(text: string): Partial<Values> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Partial<Values>) : {};
  } catch {
    return {};
  }
}

/** Only what differs from the form as it opens: values that others save meanwhile are not taken back. */
export function formatChanges<Values extends object>(values: Values, base: Values): string {
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name as keyof Values]),
  );
  return changed.length === 0 ? "" : JSON.stringify(Object.fromEntries(changed));
}

export type FormDraft<Values> = {
  values: Values;
  change(part: Partial<Values> | ((was: Values) => Partial<Values>)): void;
  draft: DraftHandle;
};

/** The values of a form, kept like a text that is written. `base`: the form as it opens. */
export function useFormDraft<Values extends object>(key: string, base: Values): FormDraft<Values> {
  const draft = useDraft(key);
  const read = (text: string): Values => ({ ...base, ...parseChanges<Values>(text) });
  return {
    values: read(draft.text),
    change: (part) =>
      draft.set((was) => {
        const values = read(was.text);
        return { text: formatChanges({ ...values, ...(typeof part === "function" ? part(values) : part) }, base) };
      }),
    draft,
  };
}
