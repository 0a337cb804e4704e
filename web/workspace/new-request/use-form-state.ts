import { useEffect, useState } from "react";
import type { DraftHandle } from "../../drafts/use-draft.ts";
import { isBlank, type NewRequestState, parseState } from "./form-state.ts";

export type FormChange = Partial<NewRequestState> | ((was: NewRequestState) => Partial<NewRequestState>);

/** The values of the form. They are stored in the draft, and initialized from it. */
export function useFormState({ text, setText }: Pick<DraftHandle, "text" | "setText">) {
  const [own, setOwn] = useState<NewRequestState | null>(null);
  useEffect(() => {
    if (own !== null) setText(isBlank(own) ? "" : JSON.stringify(own));
  }, [own, setText]);
  /** A function gets the latest values, because two responses may change the form at the same moment. */
  const set = (change: FormChange) =>
    setOwn((current) => {
      const was = current ?? parseState(text);
      return { ...was, ...(typeof change === "function" ? change(was) : change) };
    });
  return { state: own ?? parseState(text), set, replace: setOwn };
}
