import { Button } from "@mantine/core";
import { readerZone } from "../../base/moments.ts";
import { Chip } from "../../elements/chip.tsx";
import { currentLocale, t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import type { Sprint } from "./picture.ts";
import { Sparkline } from "./sprints/burn-down.tsx";

const formatDay = (at: string): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: readerZone() }).format(
    Date.parse(at),
  );

/** "10 – 24 Nov" */
export const formatPeriod = ({ start_at, end_at }: Pick<Sprint, "start_at" | "end_at">): string => {
  if (start_at === null) return "";
  if (end_at === null) return formatDay(start_at);
  const style = { day: "numeric", month: "short", timeZone: readerZone() } as const;
  return new Intl.DateTimeFormat(currentLocale(), style).formatRange(Date.parse(start_at), Date.parse(end_at));
};

export const sprintName = ({ number, name }: Pick<Sprint, "number" | "name">): string =>
  name === null ? t("boards.sprint", { number }) : `${t("boards.sprint", { number })} ${name}`;

const day = 86_400_000;

/** Mondays to Fridays from today to the end, both included. */
export function countWorkingDays(end: number, now: number): number {
  let count = 0;
  for (let at = now; at < end && count < 999; at += day) if (![0, 6].includes(new Date(at).getDay())) count++;
  return count;
}

export function PointsBar({
  label,
  done,
  of,
  tone,
  words,
}: {
  label: string;
  done: number;
  of: number;
  tone: "green" | "blue";
  words: string;
}) {
  const share = of === 0 ? 0 : Math.min(100, (100 * done) / of);
  return (
    <div className="points-bar">
      <span className="points-bar-words">
        <span className="quiet">{label}</span>
        <span className="numbers">{words}</span>
      </span>
      <span className="thin-bar" data-tone={tone} aria-hidden="true">
        <span style={{ inlineSize: `${share}%` }} />
      </span>
    </div>
  );
}

/** The current sprint: goal, time left, points and burn-down. */
export function SprintBar({ sprint, onComplete }: { sprint: Sprint; onComplete?: (() => void) | undefined }) {
  const now = useNow();
  const end = sprint.end_at === null ? null : Date.parse(sprint.end_at);
  return (
    <section className="sprint-bar" aria-label={sprintName(sprint)}>
      <div className="sprint-words">
        <span className="sprint-title">
          <strong>{sprintName(sprint)}</strong> <span className="quiet">{formatPeriod(sprint)}</span>
          {end !== null && (
            <Chip tone={end > now ? "blue" : "red"}>
              {end > now ? t("boards.daysLeft", { count: countWorkingDays(end, now) }) : t("boards.overdue")}
            </Chip>
          )}
        </span>
        {sprint.goal !== null && <span className="truncate">{sprint.goal}</span>}
      </div>
      <PointsBar
        label={t("boards.done")}
        done={sprint.done}
        of={sprint.points}
        tone="green"
        words={t("boards.ofPoints", { done: sprint.done, count: sprint.points })}
      />
      <Sparkline sprint={sprint} />
      {onComplete !== undefined && (
        <Button variant="default" onClick={onComplete}>
          {t("boards.completeSprint")}
        </Button>
      )}
    </section>
  );
}
