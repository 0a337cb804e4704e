import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { request as requestType } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { findProblem, listInputs } from "../../parts/forms/extension-values.ts";
import { listQueries } from "../../queries/records.ts";
import { getReferenceName } from "../../queries/reference.ts";
import { inboxQueries } from "../../queries/workspace/inbox.ts";
import { newRequestQueries } from "../../queries/workspace/new-request.ts";
import { useFiles } from "../work-item/composer/use-files.ts";
import { mayRegisterForOthers, type WorkAccount } from "./account-choice.tsx";
import { buildRequestBody } from "./build-body.ts";
import { customName, emptyState } from "./form-state.ts";
import { useSuggestions } from "./use-form-queries.ts";
import { useFormState } from "./use-form-state.ts";
import { useMoveAccount } from "./use-move-account.ts";
import { useOutcome, useSuggestedService } from "./use-outcome.ts";
import { useRefusal } from "./use-refusal.ts";

/** The form's input, its preview, and the server's response. */
function useRequestForm(element: RefObject<HTMLFormElement | null>) {
  const { account, api, who } = useCurrentAccount();
  const draft = useDraft("new/request");
  const { state, set, replace } = useFormState(draft);
  const [showsFurther, setShowsFurther] = useState(false);
  const files = useFiles(draft);
  const fieldFiles = useFiles(draft, "custom_fields");
  const { data: template } = useQuery(newRequestQueries.templateForm(api, state.template));
  const fields = state.template === null ? [] : (template?.fields ?? []);
  const suggestions = useSuggestions(state.subject, state.requested_for);
  const body = buildRequestBody(state, {
    ...{ files: files.files, mentions: draft.mentions },
    ...{ fields, fieldFiles: fieldFiles.files, me: who.person.id },
  });
  const { outcome, isInTeam } = useOutcome(state, body);
  useSuggestedService(state, set, suggestions);
  const refusal = useRefusal(element, fields, () => setShowsFurther(true));
  return {
    ...{ draft, state, set, replace, files, fieldFiles, body, outcome, isInTeam, refusal },
    ...{ fields, formTitle: template?.title ?? null, suggestions: suggestions.data },
    ...{ showsFurther, setShowsFurther, mayChooseOther: mayRegisterForOthers(account) },
  };
}
type RequestForm = ReturnType<typeof useRequestForm>;

/** Checks that don't need the server. */
function findProblems({ state, fields }: RequestForm): [field: string, text: string][] {
  // The server would name the request after its category, which makes it hard to find.
  if (state.subject.trim() === "" && state.template === null) return [["subject", t("newRequest.problem.required")]];
  return listInputs(fields, state.custom).flatMap((field): [string, string][] => {
    const problem = findProblem(field, state.custom[field.id] ?? "");
    return problem === null ? [] : [[customName(field.id), t(`newRequest.problem.${problem}`)]];
  });
}

function useCreate(form: RequestForm, onClose: () => void) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [another, setAnother] = useState(false);
  const [busy, setBusy] = useState(false);
  const { draft, refusal, mayChooseOther } = form;
  const finish = (id: number, opens: boolean): void => {
    draft.remove();
    void queries.invalidateQueries({ queryKey: listQueries.all(api) });
    void queries.invalidateQueries({ queryKey: inboxQueries.all(api) });
    const path = paths.record(account.id, requestType, id);
    showMessage(
      <>
        {t("newRequest.created", { id: String(id) })} <Link to={path}>{t("newRequest.open")}</Link>
      </>,
    );
    if (another) {
      form.replace({ ...emptyState, requested_for: null });
      refusal.focus(mayChooseOther ? "requested_for" : "subject");
      return;
    }
    onClose();
    if (opens) navigateTo(path);
  };
  /** `opens`: the request's page is opened afterwards. */
  const create = async (opens: boolean): Promise<void> => {
    if (busy || draft.isUploading) return;
    const problems = findProblems(form);
    if (problems.length > 0) return refusal.refuse(new ApiError(422, "", problems));
    setBusy(true);
    refusal.clear();
    try {
      const { id } = await api.create("/requests", form.body);
      finish(id, opens);
    } catch (error) {
      refusal.refuse(error);
    } finally {
      setBusy(false);
    }
  };
  return { another, setAnother, busy, create };
}

/** The dialog of a new request: its form, and the functions of its buttons. */
export function useNewRequest(
  element: RefObject<HTMLFormElement | null>,
  onAccount: (account: WorkAccount) => void,
  onClose: () => void,
) {
  const { api, who } = useCurrentAccount();
  const form = useRequestForm(element);
  const { state, draft, refusal } = form;
  const move = useMoveAccount(form, onAccount);
  const moveTo = (account: WorkAccount): void => {
    refusal.clear();
    move(account);
  };
  /** Adds the typed text to a similar request, as a note. */
  const addTo = async (similar: Row): Promise<void> => {
    const person = state.requested_for === null ? who.person.name : getReferenceName(state.requested_for);
    const text = [`*${person}*: ${state.subject.trim()}`, state.details.trim()]
      .filter((part) => part !== "")
      .join("\n\n");
    try {
      await api.create(`/requests/${similar.id}/notes`, { text });
      draft.remove();
      showMessage(t("newRequest.addedTo", { id: String(similar.id) }));
      onClose();
    } catch (error) {
      showError(error);
    }
  };
  const discard = (): void => {
    draft.remove();
    onClose();
  };
  return { ...form, ...useCreate(form, onClose), moveTo, addTo, discard };
}
export type NewRequest = ReturnType<typeof useNewRequest>;
