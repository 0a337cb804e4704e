import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconFlame from "@tabler/icons-react/dist/esm/icons/IconFlame.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import { useEffect, useRef, useState } from "react";
import type { Row } from "../../../api/index.ts";
import { daysAway, formatAhead, formatExact, formatMinutes, formatWithin } from "../../../base/moments.ts";
import type { ToneName } from "../../../base/tokens.ts";
import { Icon, type IconComponent } from "../../../elements/icon.tsx";
import { tip } from "../../../elements/tip.tsx";
import { t } from "../../../languages/index.ts";
import { currentTime } from "../../../parts/now.ts";
import { type SlaLook, slaLook } from "../../../parts/work/sla-look.ts";
import type { TargetOutcome } from "../../../parts/work/target-outcome.ts";
import type { ExplainedTargets } from "../../../queries/record-page.ts";

// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<SlaLook, { tone: ToneName; icon: IconComponent }>> = {
  calm:    { tone: "green",  icon: IconClock },
  soon:    { tone: "yellow", icon: IconClock },
  urgent:  { tone: "orange", icon: IconFlame },
  overdue: { tone: "red",    icon: IconAlertTriangle },
  stopped: { tone: "violet", icon: IconPlayerPause },
  later:   { tone: "grey",   icon: IconClock },
  none:    { tone: "grey",   icon: IconClock },
  met:     { tone: "green",  icon: IconCircleCheck },
  missed:  { tone: "red",    icon: IconCircleX },
  over:    { tone: "grey",   icon: IconCircleCheck },
};

/** Updates exactly when a minute of the countdown ends, so that it never lags behind. */
function useCountdown(target: number): number {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    const left = Math.abs(target - now) % 60_000;
    const timer = setTimeout(() => setNow(currentTime()), Math.min(Math.max(left, 500), 15_000));
    return () => clearTimeout(timer);
  }, [target, now]);
  return now;
}

type TargetKind = "response" | "resolution" | "desired" | "other";

function pickKind(target: string, row: Row): TargetKind {
  if (target === row.desired_completion_at) return "desired";
  if (target === row.response_target_at) return "response";
  return target === row.resolution_target_at ? "resolution" : "other";
}

type Props = {
  row: Row;
  target: string | null;
  outcome: TargetOutcome | null;
  explained: ExplainedTargets | undefined;
};

/** The next target, the time left, the used share of the time, and whether the response was in time. */
export function TargetCard({ row, target, outcome, explained }: Props) {
  const at = target === null ? Number.NaN : Date.parse(target);
  const now = useCountdown(Number.isNaN(at) ? 0 : at);
  const done = outcome !== null;
  const look = outcome ?? slaLook(target, now, (moment) => daysAway(moment, now) > 0);
  const { tone, icon } = looks[look];
  const kind = target === null ? "other" : pickKind(target, row);
  const used = kind === "response" ? explained?.response : explained?.resolution;
  const minutes = Math.trunc((at - now) / 60_000);
  const share =
    used?.allowed == null || used.allowed === 0 ? null : Math.min(1, computeUsed(used, at, now) / used.allowed);
  return (
    <div className="request-target" data-tone={tone}>
      <div className="target-head">
        <span className="target-name">
          <Icon of={icon} /> {headline(look, kind, row)}
        </span>
        {!Number.isNaN(at) && !done && (
          <time className="numbers" dateTime={target ?? undefined} {...tip(formatExact(at))}>
            {formatWithin(at, now)}
          </time>
        )}
      </div>
      {!Number.isNaN(at) && !done && (
        <>
          <div className="target-count">
            <span className="figure numbers" role="timer" aria-label={t("request.target.left")}>
              {minutes < 0 ? `−${formatMinutes(-minutes)}` : formatMinutes(minutes)}
            </span>
            {used?.allowed != null && (
              <span className="numbers">
                {t("request.target.used", {
                  used: formatMinutes(computeUsed(used, at, now)),
                  allowed: formatMinutes(used.allowed),
                })}
              </span>
            )}
          </div>
          {share !== null && (
            <div className="target-bar" aria-hidden="true">
              <span style={{ inlineSize: `${Math.round(share * 100)}%` }} />
            </div>
          )}
          <Announcement minutes={minutes} target={target ?? ""} />
        </>
      )}
      {done && <PromisedLine at={at} now={now} />}
      {explained !== undefined && <ResponseLine {...explained.response} started={explained.started_at} />}
    </div>
  );
}

/**
 * The used time is as of the server's last response; while the clock runs, the time left until a target of today
 * decreases.
 */
function computeUsed({ used, allowed }: { used: number; allowed: number | null }, at: number, now: number): number {
  const left = Math.trunc((at - now) / 60_000);
  // Around the clock both values agree; with closing hours the server's value is more accurate.
  return allowed !== null && Math.abs(allowed - left - used) <= 5 ? Math.max(0, allowed - left) : used;
}

function headline(look: SlaLook, kind: TargetKind, row: Row): string {
  if (look === "over") return t("request.target.done");
  if (look === "met" || look === "missed") return t(`request.target.${look}`);
  if (look === "stopped")
    return t(row.status === "waiting_for_customer" ? "request.target.customer" : "request.target.stopped");
  if (look === "none") return t("sla.bestEffort");
  if (look === "overdue") return t(`request.target.late.${kind}`);
  return t(`request.target.in.${kind}`);
}

/** The date by which it had to be finished. */
function PromisedLine({ at, now }: { at: number; now: number }) {
  if (Number.isNaN(at)) return null;
  return (
    <div className="numbers" {...tip(formatExact(at))}>
      {t("request.target.was", { when: formatAhead(at, now) })}
    </div>
  );
}

function ResponseLine({
  actual_at,
  target_at,
  met,
  maximum,
  started,
}: ExplainedTargets["response"] & { started: string }) {
  if (actual_at === null || target_at === null) return null;
  const took = Math.max(0, Math.round((Date.parse(actual_at) - Date.parse(started)) / 60_000));
  const values = { took: formatMinutes(took), target: maximum === null ? "" : formatMinutes(maximum) };
  return (
    <div className="target-response" data-tone={met === false ? "red" : "green"}>
      <Icon of={met === false ? IconCircleX : IconCircleCheck} size={14} />
      {maximum === null ? t("request.target.responded", values) : t("request.target.response", values)}
    </div>
  );
}

const spokenAt = [60, 20, 5, 0];

/** Announces the time left at 60, 20 and 5 minutes and the passed target, and nothing else. */
function Announcement({ minutes, target }: { minutes: number; target: string }) {
  const last = useRef({ minutes, target });
  const [words, setWords] = useState("");
  useEffect(() => {
    const before = last.current;
    last.current = { minutes, target };
    if (before.target !== target) return;
    const passed = spokenAt.find((limit) => before.minutes > limit && minutes <= limit);
    if (passed === undefined) return;
    setWords(passed === 0 ? t("request.target.passed") : t("request.target.minutesLeft", { minutes: passed }));
  }, [minutes, target]);
  return (
    <span role="status" className="spoken">
      {words}
    </span>
  );
}
