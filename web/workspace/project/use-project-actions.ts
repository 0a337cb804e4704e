import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconStackBack from "@tabler/icons-react/dist/esm/icons/IconStackBack.mjs";
import { useState } from "react";
import type { Action } from "../../actions/action.ts";
import { useActions } from "../../actions/registry.ts";
import { showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import type { WorkItem } from "../work-item/frame/use-work-item.ts";
import type { Plan } from "../workflow/use-plan.ts";
import { type Baseline, useBaseline } from "./use-baseline.ts";

/** The baseline dates, and the actions that show them and save the current ones. */
function useBaselineActions(page: WorkItem, { id, graph }: Plan) {
  const { baseline, keep } = useBaseline(id);
  const [isShown, setShown] = useState(false);
  const keepDates = () => {
    if (graph !== undefined) keep(graph);
    showMessage(t("projects.baselineKept"));
  };
  const toggle: Action = {
    id: "project.baseline",
    group: "record",
    keys: "b",
    icon: IconStackBack,
    name: t("projects.baseline"),
    when: graph !== undefined && page.tab === "plan",
    run: () => {
      // The first time, the current plan becomes the baseline.
      if (baseline === null && graph !== undefined) keepDates();
      setShown((was) => !was);
    },
  };
  const keepAgain: Action = {
    id: "project.keepBaseline",
    group: "record",
    name: t("projects.keepBaseline"),
    when: graph !== undefined && baseline !== null,
    run: keepDates,
  };
  return { baseline: isShown ? baseline : null, toggle, keepAgain };
}

type ProjectActions = { add: Action; toggleBaseline: Action; baseline: Baseline | null };

/** The actions on the project and its selected task. */
export function useProjectActions(page: WorkItem, plan: Plan): ProjectActions {
  const { graph, selected, selectedTask } = plan;
  const { baseline, toggle, keepAgain } = useBaselineActions(page, plan);
  const add: Action = {
    id: "project.add",
    group: "record",
    keys: "n",
    icon: IconPlus,
    name: t("projects.add"),
    when: plan.mayAdd && graph !== undefined,
    run: () => plan.setNewPlace({ after: selected === null ? [] : [selected], before: [] }),
  };
  const changeDates: Action = {
    id: "project.dates",
    group: "record",
    keys: "d",
    name: t("workflow.dates"),
    when: plan.mayChange && selectedTask?.starts_at != null && plan.edit.edit === null,
    run: () => plan.startMoving(selectedTask?.id ?? 0),
  };
  useActions([add, toggle, keepAgain, changeDates]);
  return { add, toggleBaseline: toggle, baseline };
}
