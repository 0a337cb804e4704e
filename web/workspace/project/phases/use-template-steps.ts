import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";
import type { Reference } from "../../../queries/reference.ts";
import { projectQueries, type TemplateStep } from "../../../queries/work/projects.ts";
import { type EditablePhase, usePhases } from "./use-phases.ts";

/** The phases of a project template with their steps, and the functions to change them. */
export function useTemplateSteps(template: number) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const base = `/project_templates/${template}`;
  const query = projectQueries.template(api, template);
  const { data, error, refetch } = useQuery(query);
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const relations = data?.relations ?? [];
  const stepsOf = (phase: string) => relations.filter(({ phase_name }) => phase_name === phase);
  const phases = (data?.phases ?? []).map(
    ({ id, name, position }): EditablePhase => ({ id, name, position, mayRemove: stepsOf(name).length === 0 }),
  );
  const commands = usePhases({ path: `${base}/phases`, phases, refresh });
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (failure) {
      showError(failure);
    } finally {
      await refresh();
    }
  };
  const create = (step: Reference, phase_name: string) =>
    api.create(`${base}/task_templates`, { task_template_id: step.id, phase_name });
  const undo = (change: () => Promise<unknown>) => async () => {
    await change();
    await refresh();
  };
  return {
    ...{ data, error, refetch, phases, stepsOf, commands },
    move: (id: number, phase: EditablePhase | undefined) =>
      attempt(async () => {
        const step = relations.find((each) => each.id === id);
        if (step === undefined || phase === undefined || step.phase_name === phase.name) return;
        const change = (name: string) => api.change(`${base}/task_templates/${id}`, { phase_name: name });
        await change(phase.name);
        const message = t("phases.stepMoved", { name: step.task_template.name ?? "", phase: phase.name });
        showUndo(
          message,
          undo(() => change(step.phase_name)),
        );
      }),
    async add(step: Reference, phase: string): Promise<void> {
      const created = await create(step, phase);
      await refresh();
      showUndo(
        t("phases.stepAdded", { name: step.name ?? "" }),
        undo(() => api.remove(`${base}/task_templates/${created.id}`)),
      );
    },
    remove: ({ id, task_template, phase_name }: TemplateStep) =>
      attempt(async () => {
        await api.remove(`${base}/task_templates/${id}`);
        showUndo(
          t("phases.stepRemoved", { name: task_template.name ?? "" }),
          undo(() => create(task_template, phase_name)),
        );
      }),
  };
}

export type TemplateSteps = ReturnType<typeof useTemplateSteps>;
