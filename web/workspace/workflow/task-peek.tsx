import { ActionIcon, Menu } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import type { ReactNode } from "react";
import { task as taskType } from "../../../records/work/task.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import type { Action } from "../../actions/action.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { indexNeighbors } from "../../base/graph.ts";
import { formatClock, formatMinutes } from "../../base/moments.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { Link } from "../../elements/link.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { useNow } from "../../parts/now.ts";
import { PersonName } from "../../parts/people/person-name.tsx";
import { formatDayAndClock } from "../../parts/precise-moments.ts";
import { PropertyRow } from "../../parts/property-row.tsx";
import { ImpactChip } from "../../parts/work/impact.tsx";
import { StatusChip, StatusIcon } from "../../parts/work/status.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { GraphTask, TaskGraph } from "../../queries/task-graph.ts";
import { nameKind, pickWindow } from "./task-look.ts";

type Props = {
  task: GraphTask;
  graph: TaskGraph;
  order: readonly number[];
  /** its actions, including alternatives to everything that can be dragged */
  actions: readonly Action[];
  onSelect(id: number): void;
  onUnlink: ((from: number, to: number) => Promise<void>) | null;
  onClose(): void;
};

/** The selected task beside the graph. */
export function TaskPeek({ task, graph, order, actions, onSelect, onUnlink, onClose }: Props) {
  const { account } = useCurrentAccount();
  const now = useNow();
  const { before, after, onFailure } = indexNeighbors(graph.edges)(task.id);
  const moment = (at: string | null) => (at === null ? t("gantt.unplanned") : formatDayAndClock(Date.parse(at), now));
  const window = isFinished(task.status) ? undefined : pickWindow(graph, task, now);
  const slack = graph.slack[String(task.id)];
  return (
    <aside className="task-peek" aria-label={t("workflow.selected")}>
      <div className="task-peek-head">
        <span className="quiet numbers">
          {formatWorkId("task", task.id)} · {t("task.step", { step: order.indexOf(task.id) + 1, count: order.length })}
        </span>
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="subtle" size={26} color="gray" aria-label={t("record.more")}>
              <Icon of={IconDots} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions
              .filter(({ when }) => when !== false)
              .map((action) => (
                <Menu.Item
                  key={action.id}
                  onClick={() => void action.run()}
                  rightSection={action.keys === undefined ? undefined : <Kbd keys={action.keys} />}
                >
                  {action.name}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
        <ActionIcon variant="subtle" size={26} color="gray" aria-label={t("app.close")} onClick={onClose}>
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      <h2>
        <Link to={paths.record(account.id, taskType, task.id)}>{task.subject}</Link>
      </h2>
      <PropertyRow label={fieldLabel("status")}>
        <StatusChip type="task" status={task.status} />
      </PropertyRow>
      <PropertyRow label={fieldLabel("category")}>{nameKind(task)}</PropertyRow>
      {task.impact !== null && (
        <PropertyRow label={fieldLabel("impact")}>
          <ImpactChip impact={task.impact} />
        </PropertyRow>
      )}
      {task.team !== null && <PropertyRow label={fieldLabel("team")}>{task.team.name}</PropertyRow>}
      {task.assignees.length > 0 && (
        <PropertyRow label={t("workflow.who")}>
          {task.assignees.map((person) => (
            <PersonName key={person.id} person={person} />
          ))}
        </PropertyRow>
      )}
      {task.approvals !== null && (
        <PropertyRow label={t("task.approvals")}>
          {t("workflow.approvals", { given: task.approvals.given, count: task.approvals.needed })}
        </PropertyRow>
      )}
      <PropertyRow label={t("workflow.starts")}>
        <span className="numbers">{moment(task.starts_at)}</span>
      </PropertyRow>
      <PropertyRow label={t("workflow.ends")}>
        <span className="numbers">{moment(task.ends_at)}</span>
      </PropertyRow>
      {task.planned_duration !== null && (
        <PropertyRow label={fieldLabel("planned_duration")}>{formatMinutes(task.planned_duration)}</PropertyRow>
      )}
      {window !== undefined && (
        <PropertyRow label={fieldLabel("maintenance_window")}>
          <span className="numbers">
            {moment(window.starts_at)} – {formatClock(Date.parse(window.ends_at))}
          </span>
        </PropertyRow>
      )}
      {!isFinished(task.status) && slack !== undefined && (
        <PropertyRow label={t("workflow.slack")}>
          {graph.critical.includes(task.id) ? t("workflow.noSlack") : formatMinutes(slack)}
        </PropertyRow>
      )}
      <Steps title={t("workflow.after")} ids={before} graph={graph} onSelect={onSelect}>
        {(id) => (onUnlink === null ? null : <Unlink run={() => onUnlink(id, task.id)} />)}
      </Steps>
      <Steps title={t("workflow.before")} ids={after} graph={graph} onSelect={onSelect}>
        {(id) => (onUnlink === null ? null : <Unlink run={() => onUnlink(task.id, id)} />)}
      </Steps>
      <Steps title={t("task.onFailure")} ids={onFailure} graph={graph} onSelect={onSelect}>
        {() => null}
      </Steps>
    </aside>
  );
}

type StepsProps = {
  title: string;
  ids: readonly number[];
  graph: TaskGraph;
  onSelect(id: number): void;
  children(id: number): ReactNode;
};

function Steps({ title, ids, graph, onSelect, children }: StepsProps) {
  if (ids.length === 0) return null;
  return (
    <section className="neighbours" aria-label={title}>
      <h3>{title}</h3>
      <ul className="plain-list">
        {ids.map((id) => {
          const task = graph.tasks.find((each) => each.id === id);
          return (
            <li key={id} className="step">
              <StatusIcon type="task" status={task?.status ?? ""} size={14} />
              <button type="button" className="text-button truncate" onClick={() => onSelect(id)}>
                {task?.subject}
              </button>
              {children(id)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const Unlink = ({ run }: { run(): Promise<void> }) => (
  <button type="button" className="tool" aria-label={t("workflow.unlink")} onClick={() => void run().catch(showError)}>
    <Icon of={IconX} size={13} />
  </button>
);
