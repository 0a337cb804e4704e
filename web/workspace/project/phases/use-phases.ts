import { useCurrentAccount } from "../../../api/current-account.ts";
import { showError, showUndo } from "../../../elements/toast.tsx";
import { t } from "../../../languages/index.ts";

// Changes of the phases of a project or of a project template, with the same calls for both. Each change can be undone.

export type EditablePhase = {
  id: number;
  name: string;
  position: number | null;
  /** a phase with started work can't be removed */
  mayRemove: boolean;
};

type Options = {
  /** "/projects/7/phases" */
  path: string;
  /** in order */
  phases: readonly EditablePhase[];
  refresh(): Promise<unknown>;
  /** moves the content of a removed phase to the one created in its place */
  refill?(removed: EditablePhase): (created: number) => Promise<void>;
};

export function usePhases({ path, phases, refresh, refill }: Options) {
  const { api } = useCurrentAccount();
  /** Resolves to false if the change was rejected. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      await refresh();
    }
  };
  /** Numbers the phases 1 to n in the wanted order; only those whose number differs are saved. */
  const arrange = async (wanted: readonly EditablePhase[]): Promise<void> => {
    for (const [at, { id, position }] of wanted.entries())
      if (position !== at + 1) await api.change(`${path}/${id}`, { position: at + 1 });
  };
  const restoreOrder = async (): Promise<void> => {
    for (const { id, position } of phases) await api.change(`${path}/${id}`, { position });
    await refresh();
  };
  return {
    /** the draft's key until the name is saved */
    draftKey: (phase: EditablePhase | null) => `${path.slice(1)}/${phase?.id ?? "new"}/name`,
    add: (name: string) =>
      attempt(async () => {
        const { id } = await api.create(path, { name });
        showUndo(t("phases.added", { name }), async () => {
          await api.remove(`${path}/${id}`);
          await refresh();
        });
      }),
    rename: ({ id, name }: EditablePhase, wanted: string) =>
      attempt(async () => {
        if (wanted === name || wanted === "") return;
        await api.change(`${path}/${id}`, { name: wanted });
        showUndo(t("phases.renamed", { name: wanted }), async () => {
          await api.change(`${path}/${id}`, { name });
          await refresh();
        });
      }),
    move: (phase: EditablePhase, step: -1 | 1) =>
      attempt(async () => {
        const at = phases.findIndex(({ id }) => id === phase.id);
        const other = phases[at + step];
        if (at < 0 || other === undefined) return;
        await arrange(phases.map((each, index) => (index === at ? other : index === at + step ? phase : each)));
        showUndo(t("phases.moved", { name: phase.name, place: at + step + 1, count: phases.length }), restoreOrder);
      }),
    remove: (phase: EditablePhase) =>
      attempt(async () => {
        const giveBack = refill?.(phase);
        await api.remove(`${path}/${phase.id}`);
        showUndo(t("phases.removed", { name: phase.name }), async () => {
          const { id } = await api.create(path, { name: phase.name, position: phase.position });
          await giveBack?.(id);
          await refresh();
        });
      }),
  };
}
export type PhaseCommands = ReturnType<typeof usePhases>;
