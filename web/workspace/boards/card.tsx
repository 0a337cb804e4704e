import { Menu } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconHandStop from "@tabler/icons-react/dist/esm/icons/IconHandStop.mjs";
import { memo, useState } from "react";
import { isFinished } from "../../../records/work/task-states.ts";
import { daysAway, formatNear } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { Anchor, useOpenedAfterMount } from "../../parts/menu/anchor.tsx";
import { useNow } from "../../parts/now.ts";
import { Avatar } from "../../parts/people/avatar.tsx";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { SlaChip, type TargetKind } from "../../parts/work/sla-chip.tsx";
import { slaLook } from "../../parts/work/sla-look.ts";
import { statusLabel } from "../../parts/work/status.tsx";
import { CategoryIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { MoveMenu, type MoveTarget } from "./move-menu.tsx";
import { type Card, cardKey, isBlocked } from "./picture.ts";

export const cardElementId = (key: string): string => `card-${key.replace("/", "-")}`;

type Props = {
  card: Card;
  isActive: boolean;
  isMenuOpen: boolean;
  mayMove: boolean;
  targets: readonly MoveTarget[];
  onActive(): void;
  onOpen(): void;
  onMenu(open: boolean): void;
};

/** A card on a board. A click anywhere opens the quick edit; its menu moves it. */
function CardView({ card, isActive, isMenuOpen, mayMove, targets, onActive, onOpen, onMenu }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const key = cardKey(card);
  const name = formatWorkId(card.type, card.id);
  return (
    <>
      <button
        type="button"
        id={cardElementId(key)}
        className="card-face"
        data-active={isActive || undefined}
        tabIndex={isActive ? 0 : -1}
        onFocus={onActive}
        onClick={onOpen}
      >
        <span className="card-head">
          <CategoryIcon type={card.type} category={card.category} />
          <span className="numbers card-id">{name}</span>
          <CardTarget card={card} />
        </span>
        <span className="card-subject">{card.subject}</span>
        {card.checklist !== null && (
          <span className="card-checklist">
            <span className="thin-bar">
              <span style={{ inlineSize: `${(100 * card.checklist.done) / card.checklist.total}%` }} />
            </span>
            <span className="numbers" aria-hidden="true">
              {card.checklist.done}/{card.checklist.total}
            </span>
            <span className="spoken">{t("boards.checklist", card.checklist)}</span>
          </span>
        )}
        {isBlocked(card) && <Blocked card={card} />}
        <span className="card-foot">
          {card.impact !== null && <ImpactIcon impact={card.impact} />}
          {card.tags.slice(0, 2).map((tag) => (
            <span key={tag} className="chip" data-tone="outline">
              <span className="chip-text">{tag}</span>
            </span>
          ))}
          <span className="card-end">
            <Points estimate={card.estimate} />
            <Avatar person={card.member} size={20} />
          </span>
        </span>
      </button>
      {mayMove && (
        <button
          ref={setAnchor}
          type="button"
          className="tool card-menu"
          tabIndex={isActive ? 0 : -1}
          aria-label={t("board.card", { name })}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          onFocus={onActive}
          onClick={() => onMenu(!isMenuOpen)}
        >
          <Icon of={IconDots} />
        </button>
      )}
      {/* Only while it is open, because the menus of some hundred cards cost more than the cards. */}
      {isMenuOpen && anchor !== null && <CardMenu {...{ name, anchor, targets }} onClose={() => onMenu(false)} />}
    </>
  );
}

type MenuProps = { name: string; anchor: HTMLElement; targets: readonly MoveTarget[]; onClose(): void };

function CardMenu({ name, anchor, targets, onClose }: MenuProps) {
  const opened = useOpenedAfterMount(true);
  return (
    <Menu position="bottom-end" width={230} opened={opened} onChange={onClose} returnFocus={false}>
      <Menu.Target>
        <Anchor of={anchor} />
      </Menu.Target>
      <MoveMenu name={name} targets={targets} />
    </Menu>
  );
}
export const CardFace = memo(
  CardView,
  (was, is) =>
    was.card === is.card &&
    was.isActive === is.isActive &&
    was.isMenuOpen === is.isMenuOpen &&
    was.mayMove === is.mayMove &&
    was.targets === is.targets,
);

export function Points({ estimate }: { estimate: number | null }) {
  if (estimate === null) return null;
  return (
    <span className="points numbers">
      <span aria-hidden="true">{estimate}</span>
      <span className="spoken">{t("boards.points", { count: estimate })}</span>
    </span>
  );
}

const kinds: readonly TargetKind[] = ["response", "resolution", "desired"];

/** Shows a target only if it is near, passed or stopped, so that a calm board has no clocks. */
function CardTarget({ card: { target, kind_of_target, status } }: { card: Card }) {
  const now = useNow();
  if (target === null) return null;
  const look = slaLook(target, now, (at) => daysAway(at, now) > 0);
  const isOver = isFinished(status) || status === "solved";
  const isStopped = look === "stopped" && status === "waiting_for_customer";
  if (isOver || (!isStopped && !["soon", "urgent", "overdue"].includes(look))) return null;
  return (
    <span className="card-target">
      <SlaChip target={target} status={status} kind={kinds.find((each) => each === kind_of_target)} />
    </span>
  );
}

function Blocked({ card: { type, status, waiting_until } }: { card: Card }) {
  const now = useNow();
  return (
    <span className="card-blocked">
      <Icon of={IconHandStop} size={14} />
      <span>
        {waiting_until === null
          ? t("boards.blocked", { status: statusLabel(type, status) })
          : t(status === "waiting_for" ? "boards.waitsUntil" : "boards.blockedUntil", {
              status: statusLabel(type, status),
              when: formatNear(Date.parse(waiting_until), now),
            })}
      </span>
    </span>
  );
}
