import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { findPath } from "../../base/graph.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { MultiSelect } from "../../fields/pickers/multi-select.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { parseMinutes } from "../../fields/time/parse-minutes.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import type { Reference } from "../../queries/reference.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";
import { nameCircle } from "./task-look.ts";

export type NewTaskPlace = { after: readonly number[]; before: readonly number[] };

type Props = {
  container?: "workflow" | "project";
  /** the id of the workflow or the project */
  workflow: number;
  graph: TaskGraph;
  order: readonly number[];
  place: NewTaskPlace;
  onDone(id: number): void;
  onClose(): void;
};

type Values = {
  template: Reference | null;
  subject: string;
  team: Reference | null;
  /** as typed */
  duration: string;
  after: readonly number[];
  before: readonly number[];
};

/** The values of the new task, and the calls that create it. */
function useNewTask({ container = "workflow", workflow, graph, place, onDone }: Props) {
  const { api } = useCurrentAccount();
  const neighbor = graph.tasks.find(({ id }) => id === (place.after[0] ?? place.before[0]));
  const draftKey = `${container}/${workflow}/new_task/${place.after}/${place.before}`;
  const start: Values = {
    ...{ template: null, subject: "", team: neighbor?.team ?? null, duration: "" },
    ...{ after: place.after, before: place.before },
  };
  const { values, change, draft } = useFormDraft(draftKey, start);
  const { template, subject, team, duration, after, before } = values;
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (template === null) return setError(new ApiError(422, "", [["template", t("workflow.add.templateNeeded")]]));
    const minutes = parseMinutes(duration);
    if (duration.trim() !== "" && minutes === null)
      return setError(new ApiError(422, "", [["planned_duration", t("request.time.unknown")]]));
    setBusy(true);
    setError(null);
    try {
      const created = await api.create(`/${container}s/${workflow}/tasks`, {
        template_id: template.id,
        ...(team === null ? {} : { team_id: team.id }),
        ...(subject.trim() === "" ? {} : { subject: subject.trim() }),
        ...(minutes === null || minutes === 0 ? {} : { planned_duration: minutes }),
        predecessor_ids: after,
        successor_ids: before,
      });
      // Paths that led directly past the new task now lead through it.
      for (const { from, to, kind } of graph.edges)
        if (kind === "next" && after.includes(from) && before.includes(to))
          await api.remove(`/${container === "project" ? "project_tasks" : "tasks"}/${to}/predecessors/${from}`);
      draft.remove();
      onDone(created.id);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return { values, change, submit, error, busy };
}

/** Inserts a task between others: its successors wait for it instead of for its predecessors. */
export default function AddTaskDialog(props: Props) {
  const { container, graph, order, onClose } = props;
  const { values, change, submit, error, busy } = useNewTask(props);
  const { after, before } = values;
  const problems = new Map(error instanceof ApiError ? error.problems : []);
  const options = order.map((id, at) => ({
    value: String(id),
    label: `${at + 1} ${graph.tasks.find((task) => task.id === id)?.subject ?? ""}`,
  }));
  const circle = before.map((from) => after.map((to) => findPath(graph.edges, from, to)).find((path) => path !== null));
  const foundCircle = circle.find((path) => path != null) ?? null;
  const ids = (chosen: readonly string[]) => chosen.map(Number);
  const known = ["template", "team", "subject", "planned_duration"];
  return (
    <Dialog title={t("workflow.add")} loose={false} onClose={onClose}>
      <form
        className="complete-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TaskFields container={container} values={values} problems={problems} onChange={change} />
        <MultiSelect
          label={t("workflow.after")}
          data={options}
          searchable
          value={after.map(String)}
          onChange={(chosen) => change({ after: ids(chosen) })}
        />
        <MultiSelect
          label={t("workflow.before")}
          data={options}
          searchable
          value={before.map(String)}
          onChange={(chosen) => change({ before: ids(chosen) })}
        />
        {foundCircle !== null && (
          <p role="alert" className="form-error">
            {t("workflow.circle", { path: nameCircle(graph, foundCircle) })}
          </p>
        )}
        {error !== null && [...problems.keys()].every((name) => !known.includes(name)) && (
          <p role="alert" className="form-error">
            {errorText(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={foundCircle !== null}>
            {t("workflow.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type FieldsProps = {
  container: Props["container"];
  values: Values;
  problems: ReadonlyMap<string, string>;
  onChange(change: Partial<Values>): void;
};

function TaskFields({ container, values, problems, onChange }: FieldsProps) {
  return (
    <>
      <ReferencePicker
        to={container === "project" ? "project_task_template" : "task_template"}
        label={fieldLabel("template")}
        required
        data-autofocus
        value={values.template}
        error={problems.get("template")}
        onChange={(chosen) => onChange({ template: chosen })}
      />
      <TextInput
        label={fieldLabel("subject")}
        description={t("workflow.add.subjectHint")}
        value={values.subject}
        error={problems.get("subject")}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <ReferencePicker
        to="team"
        label={fieldLabel("team")}
        value={values.team}
        error={problems.get("team")}
        onChange={(chosen) => onChange({ team: chosen })}
      />
      <TextInput
        label={fieldLabel("planned_duration")}
        placeholder="4:00"
        value={values.duration}
        error={problems.get("planned_duration")}
        onChange={(event) => onChange({ duration: event.currentTarget.value })}
      />
    </>
  );
}
