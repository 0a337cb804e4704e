import { type RefObject, useEffect, useState } from "react";
import type { FormField } from "../../../records/answers/portal-forms.ts";
import { ApiError } from "../../api/index.ts";
import { furtherFields } from "./build-body.ts";
import { customName } from "./form-state.ts";

/** In the order of the dialog: the first field with an error gets the focus. */
const firstFields: readonly string[] = ["requested_for", "subject", "service_instance", "note", "template"];

type Refusal = { errors: ReadonlyMap<string, string>; failure: unknown };
const none: Refusal = { errors: new Map(), failure: null };

const readProblems = (error: unknown): ReadonlyMap<string, string> =>
  new Map(error instanceof ApiError ? error.problems.map(([name, text]) => [name.replace(/_id$/, ""), text]) : []);

/** The errors of a refused request: messages at the fields, and the focus on the first of them. */
export function useRefusal(
  form: RefObject<HTMLFormElement | null>,
  fields: readonly FormField[],
  onHidden: () => void,
) {
  const [refusal, setRefusal] = useState(none);
  /** A new object for each call, so that the same field can get the focus again. */
  const [focused, setFocused] = useState<{ field: string } | null>(null);
  const refuse = (failure: unknown): void => {
    const errors = readProblems(failure);
    const names = [...firstFields, ...fields.map(({ id }) => customName(id)), ...furtherFields];
    const shown = names.filter((name) => errors.has(name));
    const [first] = shown;
    if (furtherFields.some((name) => errors.has(name))) onHidden();
    setRefusal({ errors, failure: first === undefined || errors.size > shown.length ? failure : null });
    setFocused(first === undefined ? null : { field: first });
  };
  // The fields behind "Change" must be rendered before one of them can be focused.
  useEffect(() => {
    if (focused === null) return;
    const box = form.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(focused.field)}"]`);
    (box?.matches("input, textarea") ? box : box?.querySelector<HTMLElement>("input, textarea, button"))?.focus();
  }, [focused, form]);
  return {
    ...refusal,
    refuse,
    clear: () => setRefusal(none),
    focus: (field: string) => setFocused({ field }),
  };
}
