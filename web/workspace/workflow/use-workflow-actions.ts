import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import IconCalendar from "@tabler/icons-react/dist/esm/icons/IconCalendar.mjs";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { t } from "../../languages/index.ts";
import { indexNeighbours } from "../../parts/graph/graph.ts";
import type { TaskGraph } from "../../queries/task-graph.ts";
import type { NewTaskPlace } from "./add-task-dialog.tsx";
import { isMovable } from "./task-look.ts";

type Context = {
  graph: TaskGraph | undefined;
  selected: number | null;
  mayChange: boolean;
  mayAdd: boolean;
  isEditing: boolean;
  commands: {
    open(id: number): void;
    add(place: NewTaskPlace): void;
    changeDates(id: number): void;
    link(id: number): void;
    closePeek(): void;
  };
};

/** What can be done with the selected task. */
export function useWorkflowActions({ graph, selected, mayChange, mayAdd, isEditing, commands }: Context) {
  const task = graph?.tasks.find(({ id }) => id === selected);
  const place = (isBefore: boolean): NewTaskPlace => {
    if (task === undefined || graph === undefined) return { after: [], before: [] };
    const { before, after } = indexNeighbours(graph.edges)(task.id);
    return isBefore ? { after: before, before: [task.id] } : { after: [task.id], before: after };
  };
  const hasDates = task !== undefined && isMovable(task, mayChange);
  const id = task?.id ?? 0;
  const record = "record" as const;
  // biome-ignore format: a table keeps its columns
  const add: Action = { id: "workflow.add", group: record, keys: "n", icon: IconPlus, name: t(task === undefined ? "workflow.add" : "workflow.addAfter"), when: mayAdd && graph !== undefined, words: "insert new step", run: () => commands.add(place(false)) };
  // biome-ignore format: a table keeps its columns
  const others: readonly Action[] = [
    { id: "workflow.addBefore", group: record, keys: "shift+n", icon: IconPlus,       name: t("workflow.addBefore"), when: mayAdd && task !== undefined, words: "insert new step", run: () => commands.add(place(true)) },
    { id: "workflow.open",      group: record, keys: "o",       icon: IconArrowRight, name: t("workflow.open"),      when: task !== undefined, run: () => commands.open(id) },
    { id: "workflow.dates",     group: record, keys: "d",       icon: IconCalendar,   name: t("workflow.dates"),     when: hasDates && !isEditing, words: "duration move start end", run: () => commands.changeDates(id) },
    { id: "workflow.link",      group: record, icon: IconLink,  name: t("workflow.link"), when: mayChange && task !== undefined, words: "predecessor successor", run: () => commands.link(id) },
    { id: "workflow.close",     group: "general", keys: "escape", name: t("workflow.closePeek"), when: task !== undefined && !isEditing, keysOnly: true, run: commands.closePeek },
  ];
  useActions([add, ...others]);
  return { add, ofTask: [add, ...others].filter(({ keysOnly }) => keysOnly !== true) };
}
