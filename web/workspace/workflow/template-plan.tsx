import { Button } from "@mantine/core";
import IconEye from "@tabler/icons-react/dist/esm/icons/IconEye.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { useState } from "react";
import type { Row } from "../../api/index.ts";
import { Icon } from "../../elements/icon.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { GraphView } from "../../parts/graph/graph-view.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import LinkTaskDialog from "./link-dialog.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { TemplateStepDialog } from "./template-step-dialog.tsx";
import { type TemplatePlanState, useTemplatePlan } from "./use-template-plan.ts";
import "../../styles/workflow.css";

type OpenDialog = { is: "add"; after: number | null } | { is: "link"; from: number } | { is: "preview" };

/** The tasks that a workflow template creates, as an editable graph, and a preview of the workflow. */
export default function TemplatePlan({ row, writable }: { row: Row; writable: boolean }) {
  const [selected, setSelected] = useState<number | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const plan = useTemplatePlan(row.id);
  if (plan.error !== null) return <ErrorPanel error={plan.error} retry={() => void plan.refetch()} />;
  if (!plan.isLoaded) return <SkeletonRows rows={6} />;
  const remove = async (id: number) => {
    await plan.remove(id);
    setSelected(null);
  };
  const close = () => setDialog(null);
  return (
    <div className="template-plan">
      <Buttons
        selected={selected}
        writable={writable}
        onOpen={setDialog}
        onRemove={(id) => void remove(id).catch(showError)}
      />
      {plan.relations.length === 0 ? (
        <EmptyState title={t("workflow.empty")} lead={t("workflow.emptyLead")} />
      ) : (
        <Steps plan={plan} writable={writable} selected={selected} onSelect={setSelected} onOpen={setDialog} />
      )}
      {dialog?.is === "add" && (
        <TemplateStepDialog
          to="task_template"
          onAdd={async (template) => {
            setSelected(await plan.add(template, dialog.after));
            close();
          }}
          onClose={close}
        />
      )}
      {dialog?.is === "link" && (
        <LinkTaskDialog
          graph={plan.named}
          order={plan.order}
          from={dialog.from}
          onLink={(to) => plan.link(dialog.from, to)}
          onClose={close}
        />
      )}
      {dialog?.is === "preview" && <TemplatePreview template={row.id} onClose={close} />}
    </div>
  );
}

type ButtonsProps = {
  selected: number | null;
  writable: boolean;
  onOpen(dialog: OpenDialog): void;
  onRemove(step: number): void;
};

function Buttons({ selected, writable, onOpen, onRemove }: ButtonsProps) {
  return (
    <div className="work-actions">
      {writable && (
        <Button
          variant="default"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => onOpen({ is: "add", after: selected })}
        >
          {t(selected === null ? "workflow.add" : "workflow.addAfter")}
        </Button>
      )}
      {writable && selected !== null && (
        <>
          <Button variant="default" onClick={() => onOpen({ is: "link", from: selected })}>
            {t("workflow.link")}
          </Button>
          <Button
            variant="default"
            c="var(--red)"
            leftSection={<Icon of={IconTrash} />}
            onClick={() => onRemove(selected)}
          >
            {t("workflow.template.remove")}
          </Button>
        </>
      )}
      <Button variant="default" leftSection={<Icon of={IconEye} />} onClick={() => onOpen({ is: "preview" })}>
        {t("workflow.template.preview")}
      </Button>
    </div>
  );
}

const noneCritical: ReadonlySet<number> = new Set();

type StepsProps = {
  plan: TemplatePlanState;
  writable: boolean;
  selected: number | null;
  onSelect(step: number): void;
  onOpen(dialog: OpenDialog): void;
};

function Steps({ plan, writable, selected, onSelect, onOpen }: StepsProps) {
  const { relations, edges, order } = plan;
  const byId = new Map(relations.map((each) => [each.id, each]));
  const isConditional = (id: number) =>
    edges.some(({ to, kind }) => to === id && kind === "failure") && plan.beforeOf(id).length === 0;
  const link = async (from: number, to: number) => {
    const refused = await plan.link(from, to);
    if (refused !== null) showError(new Error(refused));
  };
  return (
    <GraphView
      label={t("workflow.graph")}
      nodes={order.map((id, at) => ({
        id,
        spoken: t("task.step", { step: at + 1, count: order.length }),
        state: "waiting" as const,
        isConditional: isConditional(id),
      }))}
      edges={edges}
      critical={noneCritical}
      selected={selected}
      onSelect={onSelect}
      onOpen={onSelect}
      onInsert={writable ? ({ from }) => onOpen({ is: "add", after: from }) : null}
      onLink={writable ? (from, to) => void link(from, to).catch(showError) : null}
    >
      {(id) => (
        <>
          <span className="graph-node-line">
            <span className="truncate">{byId.get(id)?.phase_name ?? ""}</span>
          </span>
          <span className="graph-node-name">{byId.get(id)?.task_template.name}</span>
        </>
      )}
    </GraphView>
  );
}
