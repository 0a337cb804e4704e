import { Button } from "@mantine/core";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import IconStopwatch from "@tabler/icons-react/dist/esm/icons/IconStopwatch.mjs";
import { formatDuration } from "../../base/formats.ts";
import { formatClock } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { formatWorkId } from "../../parts/work/work-id.ts";
import type { Timer } from "./use-timer.ts";

export const countMinutes = (timer: Timer, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(timer.started_at)) / 60_000));

/** The running timer with its start, and a button that stops it. */
export function TimerCard({ timer, onStop }: { timer: Timer | null; onStop(): void }) {
  const now = useNow();
  if (timer === null)
    return (
      <div className="time-card time-timer">
        <Icon of={IconStopwatch} size={18} />
        <p className="quiet">{t("time.noTimer")}</p>
      </div>
    );
  const { subject } = timer;
  return (
    <div className="time-card time-timer" role="status" data-running>
      <Icon of={IconStopwatch} size={18} />
      <div className="time-timer-what">
        <p className="truncate">
          {subject.type === "time_allocation"
            ? subject.name
            : `${formatWorkId(subject.type, subject.id)} ${subject.name}`}
        </p>
        <p className="quiet small">{t("time.runningSince", { time: formatClock(Date.parse(timer.started_at)) })}</p>
      </div>
      <span className="time-timer-figure numbers" aria-hidden="true">
        {formatDuration(countMinutes(timer, now))}
      </span>
      <Button variant="default" size="xs" leftSection={<Icon of={IconPlayerStop} size={14} />} onClick={onStop}>
        {t("time.stop")}
      </Button>
    </div>
  );
}
