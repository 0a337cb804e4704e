import { formatChanges, isSameValue, parseChanges } from "./form-changes.ts";
import { type DraftHandle, useDraft } from "./use-draft.ts";

export type FormDraft<Values> = {
  values: Values;
  change(part: Partial<Values> | ((was: Values) => Partial<Values>)): void;
  draft: DraftHandle;
};

/** Stores the values of a form like the text of a draft. `base`: the form's initial values. */
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

export type ValueDraft<Value> = {
  value: Value;
  setValue(value: Value): void;
  /** Removes the draft unless `save` resolves to false, or the value was changed meanwhile. */
  removeAfter(save: Promise<boolean>): Promise<void>;
  draft: DraftHandle;
};

/** A single value edited in place. `saved`: the record's value. */
export function useValueDraft<Value>(key: string, saved: Value): ValueDraft<Value> {
  const { values, change, draft } = useFormDraft(key, { value: saved });
  const { value: sent } = values;
  return {
    value: sent,
    setValue: (value) => change({ value }),
    async removeAfter(save) {
      if (await save) change(({ value }) => (isSameValue(value, sent) ? { value: saved } : {}));
    },
    draft,
  };
}
