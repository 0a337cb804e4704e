import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { indexNeighbors } from "../../base/graph.ts";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { currentTime } from "../../parts/now.ts";
import type { WorkItem } from "../work-item/frame/use-work-item.ts";
import type { NewTaskPlace } from "./add-task-dialog.tsx";
import { isMovable } from "./task-look.ts";
import type { Plan } from "./use-plan.ts";

type Options = {
  page: WorkItem;
  plan: Plan;
  onOpen(task: number): void;
  /** asks for the task that follows this one */
  onLink(task: number): void;
};

/** Starts the workflow, which requires at least one task. */
function useStart({ row, locked, save }: WorkItem, plan: Plan): Action {
  return {
    id: "workflow.start",
    group: "record",
    icon: IconPlayerPlay,
    name: t("workflow.start"),
    when: locked === null && row.status === "registered" && plan.order.length > 0,
    run: () =>
      save({ start_at: new Date(currentTime()).toISOString().replace(/\.\d+/, "") }, { message: t("workflow.started") })
        .then(() => plan.refresh())
        .catch(showError),
  };
}

/** The actions on the workflow and its selected task. */
export function useWorkflowActions({ page, plan, onOpen, onLink }: Options) {
  const { graph, mayChange, mayAdd, selectedTask: task } = plan;
  const place = (isBefore: boolean): NewTaskPlace => {
    if (task === undefined || graph === undefined) return { after: [], before: [] };
    const { before, after } = indexNeighbors(graph.edges)(task.id);
    return isBefore ? { after: before, before: [task.id] } : { after: [task.id], before: after };
  };
  const changeDates = (id: number) => {
    if (page.tab !== "both" && page.tab !== "gantt") page.setTab("both");
    plan.startMoving(id);
  };
  const isEditing = plan.edit.edit !== null;
  const hasDates = task !== undefined && isMovable(task, mayChange);
  const id = task?.id ?? 0;
  const record = "record" as const;
  const start = useStart(page, plan);
  // biome-ignore format: a table keeps its columns
  const add: Action = { id: "workflow.add", group: record, keys: "n", icon: IconPlus, name: t(task === undefined ? "workflow.add" : "workflow.addAfter"), when: mayAdd && graph !== undefined, words: "insert new step", run: () => plan.setNewPlace(place(false)) };
  // biome-ignore format: a table keeps its columns
  const others: readonly Action[] = [
    { id: "workflow.addBefore", group: record, keys: "shift+n", icon: IconPlus,       name: t("workflow.addBefore"), when: mayAdd && task !== undefined, words: "insert new step", run: () => plan.setNewPlace(place(true)) },
    { id: "workflow.open",      group: record, keys: "o",       icon: IconArrowRight, name: t("workflow.open"),      when: task !== undefined, run: () => onOpen(id) },
    { id: "workflow.dates",     group: record, keys: "d",       icon: IconCalendar,   name: t("workflow.dates"),     when: hasDates && !isEditing, words: "duration move start end", run: () => changeDates(id) },
    { id: "workflow.link",      group: record, icon: IconLink,  name: t("workflow.link"), when: mayChange && task !== undefined, words: "predecessor successor", run: () => onLink(id) },
    { id: "workflow.close",     group: "general", keys: "escape", name: t("workflow.closePeek"), when: task !== undefined && !isEditing, keysOnly: true, run: () => plan.setSelected(null) },
  ];
  useActions([add, ...others]);
  useActions([start]);
  return { add, start, ofTask: [add, ...others].filter(({ keysOnly }) => keysOnly !== true) };
}
