import { ActionIcon } from "@mantine/core";
import IconArrowsMove from "@tabler/icons-react/dist/esm/icons/IconArrowsMove.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { useCurrentAccount } from "../../../api/current-account.ts";
import { formatMinutes } from "../../../base/moments.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Link } from "../../../elements/link.tsx";
import { t } from "../../../languages/index.ts";
import { shortChoiceLabel } from "../../../languages/labels.ts";
import type { useDrag } from "../../../parts/drag/use-drag.ts";
import { MenuButton } from "../../../parts/menu/menu-button.tsx";
import type { EditablePhase } from "./use-phases.ts";

type Props = {
  name: string;
  template: number;
  category: string | null;
  minutes: number | null;
  source: ReturnType<ReturnType<typeof useDrag>["source"]>;
  /** the phases to which it can be moved */
  phases: readonly EditablePhase[];
  before: EditablePhase | undefined;
  after: EditablePhase | undefined;
  writable: boolean;
  onMove(phase: EditablePhase): void;
  onRemove(): void;
};

/** A task of a project template: moved by pointer, by menu and by Shift with an arrow key. */
export function TemplateStep(props: Props) {
  const { name, template, category, minutes, source, phases, before, after, writable, onMove, onRemove } = props;
  const { account } = useCurrentAccount();
  return (
    <li
      className="phase-step"
      {...source}
      onKeyDown={(event) => {
        const to = event.shiftKey ? { ArrowLeft: before, ArrowRight: after }[event.key] : undefined;
        if (!writable) return;
        if (to !== undefined) {
          event.preventDefault();
          onMove(to);
        } else if (event.key === "Delete") {
          event.preventDefault();
          onRemove();
        }
      }}
    >
      <Link to={paths.record(account.id, { collection: "project_task_templates" }, template)} className="truncate">
        {name}
      </Link>
      <span className="quiet small">
        {[
          ...(category === null ? [] : [shortChoiceLabel("project_task.category", category)]),
          ...(minutes === null ? [] : [formatMinutes(minutes)]),
        ].join(" · ")}
      </span>
      {writable && (
        <MenuButton
          position="bottom-end"
          entries={[
            ...phases.map((phase) => ({
              is: "item" as const,
              key: String(phase.id),
              label: t("phases.moveTo", { phase: phase.name }),
              icon: IconArrowsMove,
              run: () => onMove(phase),
            })),
            ...(phases.length === 0 ? [] : [{ is: "divider" as const }]),
            { is: "item", key: "remove", label: t("phases.removeStep"), icon: IconTrash, run: onRemove },
          ]}
        >
          {(opening) => (
            <ActionIcon
              variant="subtle"
              c="var(--text-2)"
              size={24}
              aria-label={t("phases.menuOf", { name })}
              {...opening}
            >
              <Icon of={IconDots} size={14} />
            </ActionIcon>
          )}
        </MenuButton>
      )}
    </li>
  );
}
