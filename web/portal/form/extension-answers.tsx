import { type Ref, useImperativeHandle, useRef, useState } from "react";
import type { ExtensionForm } from "../../../records/answers/portal-forms.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import {
  buildCustomFields,
  type FormValues,
  findProblem,
  isShown,
  listInputs,
  type Problem,
} from "../../parts/forms/extension-values.ts";
import { useFiles } from "../parts/use-files.ts";
import { t } from "../words.ts";
import { ExtensionField } from "./extension-field.tsx";
import { ExtensionFrame, type FrameHandle } from "./extension-frame.tsx";
import { parseKeptValues } from "./extension-messages.ts";

export type AnswersHandle = {
  /** The answers; null: a required answer is missing, and the form marks it. */
  check(): Readonly<Record<string, unknown>> | null;
  /** The answers were sent. */
  removeDraft(): void;
};

/** In addition to the field values: those of a form that runs in a frame. */
const frameValues = " frame";

type Props = {
  form: ExtensionForm;
  /** the draft's key for the answers */
  draftKey: string;
  ref: Ref<AnswersHandle>;
};

/**
 * The form of a UI extension inside another form, which reads its answers when it is sent. Files aren't supported here.
 */
export function ExtensionAnswers({ form, draftKey, ref }: Props) {
  const { values, change, draft } = useFormDraft<FormValues>(draftKey, {});
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({});
  const [refused, setRefused] = useState(false);
  const frame = useRef<FrameHandle>(null);
  const element = useRef<HTMLDivElement>(null);
  const files = useFiles(draft);
  const fields = form.fields.filter(({ kind }) => kind !== "files");
  const checkFields = () => {
    const found = listInputs(fields, values).flatMap((field): [string, Problem][] => {
      const problem = findProblem(field, values[field.id] ?? "");
      return problem === null ? [] : [[field.id, problem]];
    });
    setProblems(Object.fromEntries(found));
    if (found.length === 0) return buildCustomFields(fields, values);
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>("[aria-invalid], fieldset[data-invalid]")?.focus(),
    );
    return null;
  };
  useImperativeHandle(ref, () => ({
    check() {
      if (form.frame === null) return checkFields();
      const isComplete = frame.current?.check() === true;
      setRefused(!isComplete);
      return isComplete ? parseKeptValues(values[frameValues]) : null;
    },
    removeDraft: draft.remove,
  }));
  if (!draft.isLoaded) return null;
  if (form.frame !== null)
    return (
      <>
        <ExtensionFrame
          ref={frame}
          version={form.frame}
          title={form.title ?? t("form.questions")}
          values={parseKeptValues(values[frameValues])}
          onChange={(frameInput) => change({ [frameValues]: JSON.stringify(frameInput) })}
        />
        {refused && (
          <p className="field-error" role="alert">
            {t("form.problem.frame")}
          </p>
        )}
      </>
    );
  return (
    <div className="form-fields" ref={element}>
      {fields
        .filter((field) => isShown(field, fields, values))
        .map((field) => (
          <ExtensionField
            key={field.id}
            field={field}
            values={values}
            files={files}
            problem={problems[field.id] ?? null}
            onChange={(value) => {
              change({ [field.id]: value });
              setProblems(({ [field.id]: _, ...rest }) => rest);
            }}
          />
        ))}
    </div>
  );
}
