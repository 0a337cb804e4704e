import { useCurrentAccount } from "../../../api/current-account.ts";
import type { TaskGraph } from "../../../queries/task-graph.ts";
import { type EditablePhase, type PhaseCommands, usePhases } from "./use-phases.ts";

/** The phases of a project in order, and the commands on them. A phase with started work can't be removed. */
export function useProjectPhases(
  project: number,
  graph: TaskGraph | undefined,
  refresh: () => Promise<unknown>,
): { phases: readonly EditablePhase[]; commands: PhaseCommands } {
  const { api } = useCurrentAccount();
  const phases = [...(graph?.phases ?? [])]
    .sort((one, other) => (one.position ?? 1e9) - (other.position ?? 1e9) || one.id - other.id)
    .map(({ id, name, position, status }) => ({ id, name, position, mayRemove: status === "registered" }));
  const refill = (removed: EditablePhase) => {
    const tasks = (graph?.tasks ?? []).filter(({ phase }) => phase === removed.id);
    return async (created: number) => {
      for (const { id } of tasks) await api.change(`/project_tasks/${id}`, { phase_id: created });
    };
  };
  return { phases, commands: usePhases({ path: `/projects/${project}/phases`, phases, refresh, refill }) };
}
