import { ActionIcon, Menu } from "@mantine/core";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconHandGrab from "@tabler/icons-react/dist/esm/icons/IconHandGrab.mjs";
import IconPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconUser from "@tabler/icons-react/dist/esm/icons/IconUser.mjs";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import type { Column } from "./picture.ts";

const icons: Readonly<Record<string, IconComponent>> = {
  assign: IconUser,
  accept: IconHandGrab,
  start: IconPlay,
  complete: IconCheck,
};

/** The column's action in one word. */
function shortAction({ action_type, clear_member }: Column): string | null {
  if (action_type === "none") return null;
  if (action_type === "assign" && clear_member) return t("boards.action.unassign");
  return t(`boards.action.${action_type as "assign" | "accept" | "start" | "complete"}`);
}

/** The same in sentences, with all effects. */
export function explainColumn(column: Column): string {
  const { action_type, team, member, clear_member, dialog_type, remove_after, wip_limit } = column;
  const sentences = [
    action_type === "none" ? t("boards.explain.none") : t(`boards.explain.${action_type as "assign"}`),
    team === null ? "" : t("boards.explain.team", { team: team.name }),
    member === null ? "" : t("boards.explain.member", { member: member.name }),
    clear_member ? t("boards.explain.clears") : "",
    dialog_type === "none" ? "" : t("boards.explain.asks"),
    wip_limit === null ? "" : t("boards.explain.limit", { count: wip_limit }),
    remove_after === null ? "" : t("boards.explain.removes", { count: remove_after }),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

export const isOverLimit = ({ wip_limit, items }: Column): boolean => wip_limit !== null && items.length > wip_limit;

type Props = {
  column: Column;
  /** the number of its cards that match the filter */
  seen: number;
  mayEdit: boolean;
  onAdd?: (() => void) | undefined;
  onEdit(): void;
};

export function ColumnHead({ column, seen, mayEdit, onAdd, onEdit }: Props) {
  const { name, items, wip_limit, action_type } = column;
  const isOver = isOverLimit(column);
  const action = shortAction(column);
  const icon = icons[action_type];
  return (
    <div className="column-head">
      <h2>{name}</h2>
      <span className="numbers column-count" data-over-limit={isOver || undefined}>
        {seen < items.length ? `${seen}/` : ""}
        {items.length}
        {wip_limit !== null && ` / ${wip_limit}`}
      </span>
      {isOver && (
        <span className="chip" data-tone="red">
          <span className="chip-text">{t("boards.overLimit")}</span>
        </span>
      )}
      <span className="column-end">
        {action !== null && (
          <span className="column-action" {...tip(explainColumn(column))}>
            {icon !== undefined && <Icon of={icon} size={15} />}
            <span aria-hidden="true">{action}</span>
            <span className="spoken">{explainColumn(column)}</span>
          </span>
        )}
        {onAdd !== undefined && (
          <ActionIcon
            variant="subtle"
            size={24}
            c="var(--text-2)"
            aria-label={t("boards.addTo", { column: name })}
            onClick={onAdd}
          >
            <Icon of={IconPlus} />
          </ActionIcon>
        )}
        {mayEdit && (
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                size={24}
                c="var(--text-2)"
                aria-label={t("boards.columnMenu", { column: name })}
              >
                <Icon of={IconDots} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onEdit}>{t("boards.editColumn")}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
    </div>
  );
}
