import { formatClock, formatExact } from "../../base/moments.ts";
import { ianaZone } from "../../fields/time/iana-zone.ts";
import { currentLocale, t } from "../../languages/index.ts";
import type { ExplainedTargets } from "../../queries/record-page.ts";
import type { Hours } from "../../queries/workspace/services.ts";
import { buildDays, type DayLane } from "./day-lanes.ts";

type Props = { targets: ExplainedTargets; hours: readonly Hours[] };

/**
 * The days of a simulated request in the agreement's zone: running and stopped periods of the clock, and both targets.
 */
export function DayLanes({ targets, hours }: Props) {
  const { days, from, until } = buildDays(targets, hours);
  if (days.length === 0) return null;
  const place = (minute: number) => `${((minute - from) / (until - from)) * 100}%`;
  return (
    <div className="day-lanes" role="img" aria-label={describe(targets)}>
      <div className="day-lane">
        <span />
        <div className="day-scale numbers">
          {[0, 1, 2, 3, 4].map((step) => {
            const minute = from + ((until - from) / 4) * step;
            return (
              <span key={step} style={{ insetInlineStart: place(minute) }}>
                {formatMinute(minute)}
              </span>
            );
          })}
        </div>
      </div>
      {days.map((day) => (
        <Lane key={day.date} day={day} place={place} zone={targets.time_zone} />
      ))}
    </div>
  );
}

/** A minute of a day in the agreement's zone: "15:30". */
const formatMinute = (minute: number): string =>
  `${Math.floor(minute / 60)}:${String(Math.floor(minute % 60)).padStart(2, "0")}`;

type LaneProps = { day: DayLane; place(minute: number): string; zone: string };

function Lane({ day, place, zone }: LaneProps) {
  const label = new Intl.DateTimeFormat(currentLocale(), {
    ...{ weekday: "short", day: "numeric", month: "short", timeZone: ianaZone(zone) },
  }).format(day.noon);
  return (
    <div className="day-lane">
      <span>{label}</span>
      <div className="day-bar">
        {day.spans.map(({ start, end, kind }) => (
          <span
            key={`${kind} ${start}`}
            data-kind={kind}
            style={{ insetInlineStart: place(start), width: `calc(${place(end)} - ${place(start)})` }}
          />
        ))}
        {day.marks.map(({ minute, kind }) => (
          <span key={kind} className="day-mark" data-kind={kind} style={{ insetInlineStart: place(minute) }}>
            <span className="day-mark-text numbers">
              {t(`offering.mark.${kind}`)} {formatMinute(minute)}
            </span>
          </span>
        ))}
      </div>
    </div>
  );
}

function describe({ started_at, response, resolution }: ExplainedTargets): string {
  const format = (moment: string | null) => (moment === null ? t("sla.bestEffort") : formatExact(Date.parse(moment)));
  return t("offering.laneText", {
    asked: formatClock(Date.parse(started_at)),
    response: format(response.target_at),
    resolution: format(resolution.target_at),
  });
}
