import { Button } from "@mantine/core";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useState } from "react";
import type { Row } from "../../../api/index.ts";
import { formatMinutes } from "../../../base/moments.ts";
import { Icon } from "../../../elements/icon.tsx";
import { t } from "../../../languages/index.ts";
import { useDrag } from "../../../parts/drag/use-drag.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { ErrorPanel } from "../../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import type { ProjectTemplate } from "../../../queries/work/projects.ts";
import { TemplateStepDialog } from "../../workflow/template-step-dialog.tsx";
import { AddPhase, PhaseName } from "./phase-name.tsx";
import { TemplateStep } from "./template-step.tsx";
import type { EditablePhase } from "./use-phases.ts";
import { type TemplateSteps, useTemplateSteps } from "./use-template-steps.ts";
import "../../../styles/areas/project-template.css";

/**
 * The content of a project template: phases from left to right, and the tasks of each. Tasks of project templates have
 * a phase and no predecessors, so the phases are their only order.
 */
export default function TemplatePhases({ row, writable }: { row: Row; writable: boolean }) {
  const [adding, setAdding] = useState<string | null>(null);
  const steps = useTemplateSteps(row.id);
  const { data, phases } = steps;
  const drag = useDrag({
    enabled: writable,
    onDrop: (item, { zone }) =>
      void steps.move(
        Number(item),
        phases.find(({ id }) => String(id) === zone),
      ),
  });
  if (steps.error !== null) return <ErrorPanel error={steps.error} retry={() => void steps.refetch()} />;
  if (data === undefined) return <SkeletonRows rows={6} />;
  return (
    <div className="template-phases">
      {phases.length === 0 && <EmptyState title={t("phases.empty")} lead={t("phases.emptyLead")} />}
      <ol className="phase-columns" aria-label={t("phases.list")}>
        {phases.map((phase, at) => (
          <PhaseColumn
            key={phase.id}
            {...{ phase, at, steps, data, writable, drag }}
            onAdd={() => setAdding(phase.name)}
          />
        ))}
      </ol>
      {writable && <AddPhase commands={steps.commands} />}
      {adding !== null && (
        <TemplateStepDialog
          to="project_task_template"
          onAdd={async (template) => {
            await steps.add(template, adding);
            setAdding(null);
          }}
          onClose={() => setAdding(null)}
        />
      )}
    </div>
  );
}

type ColumnProps = {
  phase: EditablePhase;
  /** its position among the phases */
  at: number;
  steps: TemplateSteps;
  data: ProjectTemplate;
  writable: boolean;
  drag: ReturnType<typeof useDrag>;
  onAdd(): void;
};

/** A phase with its steps. */
function PhaseColumn({ phase, at, steps, data, writable, drag, onAdd }: ColumnProps) {
  const { phases, commands } = steps;
  const own = steps.stepsOf(phase.name);
  const templateOf = (id: number | string) => data.templates.get(Number(id));
  const minutes = own.reduce(
    (sum, { task_template }) => sum + (templateOf(task_template.id)?.planned_duration ?? 0),
    0,
  );
  return (
    <li className="phase-column" {...drag.zone(String(phase.id))}>
      <h2>
        {at > 0 && <Icon of={IconChevronRight} size={14} />}
        <PhaseName phase={phase} place={at + 1} count={phases.length} commands={writable ? commands : null} />
      </h2>
      <p className="quiet small numbers">
        {t("phases.steps", { count: own.length })}
        {minutes > 0 && ` · ${formatMinutes(minutes)}`}
      </p>
      <ul className="phase-steps">
        {own.map((step) => (
          <TemplateStep
            key={step.id}
            name={step.task_template.name ?? ""}
            template={Number(step.task_template.id)}
            category={templateOf(step.task_template.id)?.category ?? null}
            minutes={templateOf(step.task_template.id)?.planned_duration ?? null}
            source={drag.source(String(step.id))}
            phases={phases.filter(({ id }) => id !== phase.id)}
            before={phases[at - 1]}
            after={phases[at + 1]}
            writable={writable}
            onMove={(to) => void steps.move(step.id, to)}
            onRemove={() => void steps.remove(step)}
          />
        ))}
      </ul>
      {writable && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<Icon of={IconPlus} />}
          aria-label={t("phases.addStepTo", { phase: phase.name })}
          onClick={onAdd}
        >
          {t("phases.addStep")}
        </Button>
      )}
    </li>
  );
}
