import { type FormEvent, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { findProblem, type Problem } from "../../parts/forms/extension-values.ts";
import { useAddresses } from "../addresses.ts";
import { describeError, showError, showMessage } from "../frame/toasts.tsx";
import { useFiles } from "../parts/use-files.ts";
import { useRefresh } from "../queries.ts";
import { navigateTo } from "../router.tsx";
import { t } from "../words.ts";
import type { FrameHandle } from "./extension-frame.tsx";
import { buildRequest, type FormSubject, own, pickFields, useRequestValues } from "./request-values.ts";

/** State of the form: its values and files, validation before sending, and sending it. */
export function useRequestForm(subject: FormSubject, others: { people: boolean; devices: boolean }) {
  const { api } = useCurrentAccount();
  const at = useAddresses();
  const refresh = useRefresh();
  const { values, draft, setValue, hasValue } = useRequestValues(subject);
  const files = useFiles(draft);
  const fieldFiles = useFiles(draft, "custom_fields");
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const frame = useRef<FrameHandle>(null);
  const picked = pickFields(subject, values, others);

  const findProblems = (): Readonly<Record<string, Problem>> => {
    const found: Record<string, Problem> = {};
    for (const field of picked.inputs) {
      const problem = findProblem(field, values[field.id] ?? "");
      if (problem !== null) found[field.id] = problem;
    }
    if (subject.form === null && (values[own.subject] ?? "").trim() === "") found[own.subject] = "required";
    return found;
  };
  const check = (): boolean => {
    const found = findProblems();
    setProblems(found);
    if (Object.keys(found).length === 0) {
      if ((subject.form?.frame ?? null) === null || frame.current?.check() === true) return true;
      setRefusal(t("form.problem.frame"));
      return false;
    }
    if (Object.keys(found).some((name) => picked.late.has(name))) setMore(true);
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>("[aria-invalid], fieldset[data-invalid]")?.focus(),
    );
    return false;
  };
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setRefusal(null);
    if (busy || draft.isUploading || !check()) return;
    setBusy(true);
    try {
      const created = await api.create("/requests", buildRequest(subject, { values, files, fieldFiles }));
      draft.remove();
      showMessage(t("form.sent"));
      void refresh();
      navigateTo(at.request(created.id), { replace: true });
      scrollTo(0, 0);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.status === 422) setRefusal(describeError(error));
      else showError(error);
    }
  };
  const onSolved = () => {
    draft.remove();
    showMessage(t("form.gladItHelped"));
    navigateTo(at.home);
  };
  /** Changes a value that has an error. */
  const correct = (name: string, value: string) => {
    setValue(name, value);
    setProblems(({ [name]: _, ...rest }) => rest);
  };
  return {
    ...{ values, setValue, hasValue, correct, draft, files, fieldFiles, problems, refusal, more, setMore, busy },
    ...{ element, frame, onSubmit, onSolved, ...picked },
  };
}

export type RequestFormState = ReturnType<typeof useRequestForm>;
