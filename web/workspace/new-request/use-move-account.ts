import { useEffect, useEffectEvent, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { DraftHandle } from "../../drafts/use-draft.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import type { Files } from "../../uploads/use-files.ts";
import { mayRegisterForOthers, type WorkAccount } from "./account-choice.tsx";
import { emptyState, isBlank, type NewRequestState } from "./form-state.ts";

type CarriedInput = { account: string; files: readonly File[]; mentions: DraftHandle["mentions"] };
type Form = {
  state: NewRequestState;
  replace(state: NewRequestState | null): void;
  draft: DraftHandle;
  files: Files;
};

/**
 * Registers the request in another account. The typed text moves with it; service, template and further fields don't.
 */
export function useMoveAccount({ state, replace, draft, files }: Form, onMove: (account: WorkAccount) => void) {
  const { account } = useCurrentAccount();
  const [carried, setCarried] = useState<CarriedInput | null>(null);
  // A file belongs to the account to which it was uploaded, so it is uploaded again to the other one.
  const unpack = useEffectEvent(({ files: sources, mentions }: CarriedInput) => {
    files.add(sources);
    draft.set({ mentions });
    setCarried(null);
  });
  useEffect(() => {
    if (carried?.account === account.id) unpack(carried);
  }, [carried, account.id]);
  return (next: WorkAccount): void => {
    draft.remove();
    const { subject, details, requested_for } = state;
    const person = mayRegisterForOthers(next) ? requested_for : null;
    replace(isBlank(state) ? null : { ...emptyState, subject, details, requested_for: person });
    const sources = files.files.flatMap(({ source }) => source ?? []);
    setCarried({ account: next.id, files: sources, mentions: draft.mentions });
    const left = files.files.filter(({ source }) => source === undefined).map(({ name }) => name);
    if (left.length > 0) showMessage(t("newRequest.filesLeft", { names: left.join(", ") }));
    onMove(next);
  };
}
