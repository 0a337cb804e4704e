import { ActionIcon, Menu } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import IconGrip from "@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { ImpactIcon } from "../../parts/work/impact.tsx";
import { CategoryIcon } from "../../parts/work/type-icon.tsx";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { MoveMenu, type MoveTarget } from "../boards/move-menu.tsx";
import { type Card, cardKey } from "../boards/picture.ts";

export const rowElementId = (key: string): string => `backlog-${key.replace("/", "-")}`;
export const estimates = [1, 2, 3, 5, 8, 13, 21] as const;

type Props = {
  card: Card;
  isActive: boolean;
  /** already in the next sprint */
  isPlanned: boolean;
  mayChange: boolean;
  targets(): readonly MoveTarget[];
  onActive(): void;
  onEstimate(points: number | null): void;
};

/** Rank, kind, number, impact, subject, tags, estimate. The subject links to the record. */
export function BacklogRow({ card, isActive, isPlanned, mayChange, targets, onActive, onEstimate }: Props) {
  const { account } = useCurrentAccount();
  const name = formatWorkId(card.type, card.id);
  const entry = findEntry(card.type);
  const { component: _, ...link } = linkTo(entry === undefined ? "" : paths.record(account.id, entry, card.id));
  return (
    <>
      <span className="backlog-grip" aria-hidden="true">
        {mayChange && <Icon of={IconGrip} />}
      </span>
      <span className="numbers backlog-rank">{card.position}</span>
      <CategoryIcon type={card.type} category={card.category} />
      <span className="numbers quiet backlog-id">{name}</span>
      <span className="backlog-impact">{card.impact !== null && <ImpactIcon impact={card.impact} />}</span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a link, whose address is among the properties */}
      <a
        {...link}
        id={rowElementId(cardKey(card))}
        className="backlog-subject truncate"
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        onFocus={onActive}
      >
        {card.subject}
      </a>
      <span className="backlog-tags">
        {isPlanned && (
          <span className="chip" data-tone="blue">
            <span className="chip-text">{t("backlog.inSprint")}</span>
          </span>
        )}
        {card.tags.slice(0, 2).map((tag) => (
          <span key={tag} className="chip" data-tone="outline">
            <span className="chip-text">{tag}</span>
          </span>
        ))}
      </span>
      <Menu position="bottom-end" width={150} disabled={!mayChange}>
        <Menu.Target>
          <button
            type="button"
            className="points numbers points-button"
            data-open={card.estimate === null || undefined}
            disabled={!mayChange}
            tabIndex={isActive ? 0 : -1}
            onFocus={onActive}
            aria-label={t("backlog.estimateOf", { id: name, points: card.estimate ?? "?" })}
          >
            {card.estimate ?? "?"}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("boards.estimate")}</Menu.Label>
          {estimates.map((points) => (
            <Menu.Item key={points} onClick={() => onEstimate(points)}>
              {t("boards.points", { count: points })}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => onEstimate(null)}>{t("backlog.noEstimate")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mayChange ? (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              size={24}
              c="var(--text-2)"
              tabIndex={isActive ? 0 : -1}
              onFocus={onActive}
              aria-label={t("board.card", { name })}
            >
              <Icon of={IconDots} />
            </ActionIcon>
          </Menu.Target>
          <MoveMenu name={name} targets={targets()} />
        </Menu>
      ) : (
        <span />
      )}
    </>
  );
}
