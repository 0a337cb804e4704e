import { Button } from "@mantine/core";
import { useState } from "react";
import { errorText } from "../../elements/error-text.ts";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import type { Reference } from "../../queries/reference.ts";

type Props = {
  to: "task_template" | "project_task_template";
  onAdd(template: Reference): Promise<void>;
  onClose(): void;
};

/** Chooses the task template of the new step. */
export function TemplateStepDialog({ to, onAdd, onClose }: Props) {
  const [template, setTemplate] = useState<Reference | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async () => {
    if (template === null) return setProblem(t("workflow.add.templateNeeded"));
    await onAdd(template).catch((error: unknown) => setProblem(errorText(error)));
  };
  return (
    <Dialog title={t("workflow.add")} onClose={onClose}>
      <form
        className="choose-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ReferencePicker
          to={to}
          label={fieldLabel("task_template")}
          required
          value={template}
          error={problem}
          onChange={setTemplate}
        />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit">{t("workflow.add")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
