import { Button } from "@mantine/core";
import { Chip } from "../../elements/chip.tsx";
import { Kbd } from "../../elements/kbd.tsx";
import { t } from "../../languages/index.ts";
import type { useDrag } from "../../parts/drag/use-drag.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import { Points } from "../boards/card.tsx";
import type { Sprint } from "../boards/picture.ts";
import { formatPeriod, PointsBar, sprintName } from "../boards/sprint-bar.tsx";
import { averagePoints, Velocity } from "../boards/sprints/velocity.tsx";

export const sprintZone = "next sprint";

type Props = {
  sprints: readonly Sprint[];
  next: Sprint | null;
  active: Sprint | null;
  mayPlan: boolean;
  drag: ReturnType<typeof useDrag>;
  onStart(): void;
  onComplete(): void;
  onCreate(): void;
};

const sum = (items: Sprint["items"]): number => items.reduce((total, { estimate }) => total + (estimate ?? 0), 0);

/** The planned sprint, the active one, and the points of earlier ones. */
export function SprintPanel({ sprints, next, active, mayPlan, drag, onStart, onComplete, onCreate }: Props) {
  const average = averagePoints(sprints);
  return (
    <aside className="backlog-side" aria-label={t("boards.tab.sprints")}>
      {next === null ? (
        mayPlan && (
          <section className="side-card">
            <p className="quiet">{t("backlog.noNext")}</p>
            <Button variant="default" onClick={onCreate}>
              {t("backlog.createSprint")}
            </Button>
          </section>
        )
      ) : (
        <section className="side-card" aria-label={sprintName(next)}>
          <div className="side-card-head">
            <h2>{t("boards.sprint", { number: next.number })}</h2>
            <span className="quiet truncate">{formatPeriod(next)}</span>
            <Chip>{t("boards.status.registered")}</Chip>
            {mayPlan && (
              <Button variant="default" size="xs" onClick={onStart}>
                {t("backlog.start")}
              </Button>
            )}
          </div>
          <PointsBar
            label={t("boards.planned")}
            done={sum(next.items)}
            of={average ?? Math.max(sum(next.items), 1)}
            tone="blue"
            words={
              average === null
                ? t("boards.points", { count: sum(next.items) })
                : t("backlog.ofAbout", { done: sum(next.items), count: average })
            }
          />
          <ul className="planned-items">
            {next.items.map((item) => (
              <li key={item.id}>
                <span className="numbers quiet">{formatWorkId(item.type, item.record)}</span>
                <span className="truncate">{item.subject}</span>
                <Points estimate={item.estimate} />
              </li>
            ))}
          </ul>
          {mayPlan && (
            <div className="drop-zone" {...drag.zone(sprintZone)}>
              {t("backlog.dropHere")} <Kbd keys="p" />
            </div>
          )}
        </section>
      )}
      {active !== null && (
        <section className="side-card" aria-label={sprintName(active)}>
          <div className="side-card-head">
            <h2>{t("boards.sprint", { number: active.number })}</h2>
            <span className="quiet truncate">{formatPeriod(active)}</span>
            <Chip tone="blue">{t("boards.status.active")}</Chip>
            {mayPlan && (
              <Button variant="default" size="xs" onClick={onComplete}>
                {t("boards.complete")}
              </Button>
            )}
          </div>
          <PointsBar
            label={t("boards.done")}
            done={active.done}
            of={active.points}
            tone="green"
            words={t("boards.ofPoints", { done: active.done, count: active.points })}
          />
        </section>
      )}
      <section className="side-card">
        <div className="side-card-head">
          <h2>{t("boards.velocity")}</h2>
          {average !== null && <span className="quiet side-card-end">{t("boards.average", { count: average })}</span>}
        </div>
        <Velocity sprints={sprints} />
      </section>
    </aside>
  );
}
