import IconScissors from "@tabler/icons-react/dist/esm/icons/IconScissors.mjs";
import { Fragment, useRef } from "react";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { useSlide } from "../../parts/drag/use-slide.ts";
import { putInPlace, RowBoundary } from "../../parts/lists/row-boundary.tsx";
import { type Card, cardKey, type Sprint } from "../boards/picture.ts";
import { averagePoints } from "../boards/sprints/velocity.tsx";
import { listMoveTargets } from "./backlog-actions.ts";
import { BacklogRow } from "./backlog-row.tsx";
import type { Backlog } from "./use-backlog.ts";
import type { BacklogCommands, BacklogRights } from "./use-backlog-commands.ts";

const listZone = "backlog";

type Props = {
  backlog: Backlog;
  seen: readonly Card[];
  next: Sprint | null;
  rights: BacklogRights;
  commands: BacklogCommands;
  onEstimate(card: Card, points: number | null): void;
};

/** The row at which the cumulated estimates first exceed the average points of a sprint. */
function findEndOfSprint(seen: readonly Card[], average: number | null): Card | undefined {
  let points = 0;
  return seen.find((card) => {
    const before = points;
    points += card.estimate ?? 0;
    return average !== null && before > 0 && before <= average && points > average;
  });
}

/**
 * The items in order. One line marks the capacity of the next sprint, another one the drop position of a dragged item.
 */
export function BacklogRows({ backlog, seen, next, rights, commands, onEstimate }: Props) {
  const { active, setActive, drag } = commands;
  const list = useRef<HTMLOListElement>(null);
  useSlide(list, seen.map(cardKey).join(), drag.dragged !== null);
  const firstBeyond = next === null ? undefined : findEndOfSprint(seen, averagePoints(backlog.sprints));
  const others = seen.filter((card) => cardKey(card) !== drag.dragged?.item);
  const placeBefore = drag.over?.zone === listZone ? (others[drag.over.index] ?? null) : undefined;
  const place = <li key="place" className="drop-line" aria-hidden="true" />;
  return (
    <ol ref={list} className="backlog-rows" aria-label={backlog.name} {...drag.zone(listZone)}>
      {seen.map((card) => {
        const key = cardKey(card);
        const mayChange = rights.mayChange(card);
        return (
          <Fragment key={key}>
            {placeBefore === card && place}
            {firstBeyond === card && next !== null && (
              <li className="fit-line">
                <span>
                  <Icon of={IconScissors} size={14} /> {t("backlog.fits", { number: next.number })}
                </span>
              </li>
            )}
            <li
              className="backlog-row"
              data-active={key === active || undefined}
              {...(mayChange ? drag.source(key) : { "data-drag-item": key })}
            >
              <RowBoundary row={card} frame={putInPlace}>
                {() => (
                  <BacklogRow
                    card={card}
                    isActive={key === active}
                    isPlanned={next?.items.some((item) => item.type === card.type && item.record === card.id) ?? false}
                    mayChange={mayChange}
                    targets={() => listMoveTargets(card, rights.mayPlan ? next : null, commands)}
                    onActive={() => setActive(key)}
                    onEstimate={(points) => onEstimate(card, points)}
                  />
                )}
              </RowBoundary>
            </li>
          </Fragment>
        );
      })}
      {placeBefore === null && place}
    </ol>
  );
}
