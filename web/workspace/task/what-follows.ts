import type { Row } from "../../api/index.ts";
import { indexNeighbors } from "../../base/graph.ts";
import { currentLocale, t } from "../../languages/index.ts";
import { useTaskGraph } from "../../queries/task-graph.ts";
import { getReference } from "../work-item/page-parts.ts";

/** "Then: Replace 5A and 5B. If it is rejected: Roll back." */
export function useWhatFollows(row: Row): string {
  const workflow = getReference(row, "workflow");
  const { data } = useTaskGraph("workflow", workflow?.id ?? null);
  if (data === undefined) return "";
  const { after } = indexNeighbors(data.edges)(row.id);
  const names = (ids: readonly number[]) =>
    new Intl.ListFormat(currentLocale()).format(
      ids.flatMap((id) => data.tasks.find((task) => task.id === id)?.subject ?? []),
    );
  const failure = getReference(row, "failure_task");
  const isApproval = row.category === "approval";
  return [
    after.length === 0 ? "" : t("task.then", { names: names(after) }),
    failure === null
      ? ""
      : t(isApproval ? "task.ifRejected" : "task.ifFailed", {
          name: names([Number(failure.id)]) || (failure.name ?? ""),
        }),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
