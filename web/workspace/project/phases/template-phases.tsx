import { Button } from "@mantine/core";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Row } from "../../../api.ts";
import { useCurrentAccount } from "../../../current-account.ts";
import { t } from "../../../languages/index.ts";
import { formatMinutes } from "../../../moments.ts";
import { useDrag } from "../../../parts/drag/use-drag.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import { showError, showUndo } from "../../../parts/toast.tsx";
import type { Reference } from "../../../queries/reference.ts";
import { TemplateStepDialog } from "../../workflow/template-step-dialog.tsx";
import { AddPhase, PhaseName } from "./phase-name.tsx";
import { TemplateStep } from "./template-step.tsx";
import { type EditablePhase, usePhases } from "./use-phases.ts";
import "../../../styles/areas/project-template.css";

type Relation = Row & { task_template: Reference; phase_name: string };
type Template = Row & { category: string; planned_duration: number | null };

/**
 * What a project template holds: phases from left to right, and the tasks of each. Tasks of project templates have a phase
 * and no predecessors, so the phases are the whole order there is.
 */
export default function TemplatePhases({ row, writable }: { row: Row; writable: boolean }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [adding, setAdding] = useState<string | null>(null);
  const base = `/project_templates/${row.id}`;
  const queryKey = [account.id, "project template", String(row.id)];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const [phases, relations] = await Promise.all([
        api.list(`${base}/phases`, { per_page: "100" }),
        api.list(`${base}/task_templates`, { fields: "task_template,phase_name", per_page: "100" }),
      ]);
      const ids = [...new Set((relations.rows as Relation[]).map(({ task_template }) => task_template.id))];
      const templates =
        ids.length === 0
          ? { rows: [] }
          : await api.list("/project_task_templates", {
              id: ids.join(","),
              fields: "category,planned_duration",
              per_page: "100",
            });
      return {
        phases: phases.rows as (Row & { name: string; position: number | null })[],
        relations: relations.rows as Relation[],
        templates: new Map((templates.rows as Template[]).map((each) => [each.id, each])),
      };
    },
  });
  const refresh = () => queries.invalidateQueries({ queryKey });
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
  const moveStep = (id: number, phase: EditablePhase | undefined) =>
    attempt(async () => {
      const step = relations.find((each) => each.id === id);
      if (step === undefined || phase === undefined || step.phase_name === phase.name) return;
      const change = (name: string) => api.change(`${base}/task_templates/${id}`, { phase_name: name });
      await change(phase.name);
      showUndo(t("phases.stepMoved", { name: step.task_template.name ?? "", phase: phase.name }), async () => {
        await change(step.phase_name);
        await refresh();
      });
    });
  const addStep = async (template: Reference, phase_name: string) => {
    const created = await api.create(`${base}/task_templates`, { task_template_id: template.id, phase_name });
    setAdding(null);
    await refresh();
    showUndo(t("phases.stepAdded", { name: template.name ?? "" }), async () => {
      await api.remove(`${base}/task_templates/${created.id}`);
      await refresh();
    });
  };
  const removeStep = ({ id, task_template, phase_name }: Relation) =>
    attempt(async () => {
      await api.remove(`${base}/task_templates/${id}`);
      showUndo(t("phases.stepRemoved", { name: task_template.name ?? "" }), async () => {
        await api.create(`${base}/task_templates`, { task_template_id: task_template.id, phase_name });
        await refresh();
      });
    });
  const drag = useDrag({
    enabled: writable,
    onDrop: (item, { zone }) =>
      void moveStep(
        Number(item),
        phases.find(({ id }) => String(id) === zone),
      ),
  });
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  return (
    <div className="template-phases">
      {phases.length === 0 && <EmptyState title={t("phases.empty")} />}
      <ol className="phase-columns" aria-label={t("phases.list")}>
        {phases.map((phase, at) => {
          const steps = stepsOf(phase.name);
          const minutes = steps.reduce(
            (sum, { task_template }) => sum + (data.templates.get(Number(task_template.id))?.planned_duration ?? 0),
            0,
          );
          return (
            <li key={phase.id} className="phase-column" {...drag.zone(String(phase.id))}>
              <h2>
                {at > 0 && <Icon of={IconChevronRight} size={14} />}
                <PhaseName phase={phase} place={at + 1} count={phases.length} commands={writable ? commands : null} />
              </h2>
              <p className="quiet small numbers">
                {t("phases.steps", { count: steps.length })}
                {minutes > 0 && ` · ${formatMinutes(minutes)}`}
              </p>
              <ul className="phase-steps">
                {steps.map((step) => (
                  <TemplateStep
                    key={step.id}
                    name={step.task_template.name ?? ""}
                    template={Number(step.task_template.id)}
                    category={data.templates.get(Number(step.task_template.id))?.category ?? null}
                    minutes={data.templates.get(Number(step.task_template.id))?.planned_duration ?? null}
                    source={drag.source(String(step.id))}
                    phases={phases.filter(({ id }) => id !== phase.id)}
                    before={phases[at - 1]}
                    after={phases[at + 1]}
                    writable={writable}
                    onMove={(to) => void moveStep(step.id, to)}
                    onRemove={() => void removeStep(step)}
                  />
                ))}
              </ul>
              {writable && (
                <Button
                  variant="subtle"
                  size="xs"
                  leftSection={<Icon of={IconPlus} />}
                  aria-label={t("phases.addStepTo", { phase: phase.name })}
                  onClick={() => setAdding(phase.name)}
                >
                  {t("phases.addStep")}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {writable && <AddPhase commands={commands} />}
      {adding !== null && (
        <TemplateStepDialog
          to="project_task_template"
          onAdd={(template) => addStep(template, adding)}
          onClose={() => setAdding(null)}
        />
      )}
    </div>
  );
}
