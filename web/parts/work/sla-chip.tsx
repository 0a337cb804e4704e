import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconFlame from "@tabler/icons-react/dist/esm/icons/IconFlame.mjs";
import IconMoon from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import { daysAway, formatAhead, formatClock, formatExact, formatMinutes, readerZone } from "../../base/moments.ts";
import type { ToneName } from "../../base/tokens.ts";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { useNow } from "../now.ts";
import { type SlaLook, slaLook } from "./sla-look.ts";
import type { TargetOutcome } from "./target-outcome.ts";

export type TargetKind = "response" | "resolution" | "desired";

type Props = {
  /** `next_target_at` and the like: a moment, or a word for the reason why there is none */
  target: string | null;
  /** distinguishes a clock that waits for the customer from one stopped for another reason */
  status?: string;
  kind?: TargetKind | undefined;
  /** the IANA zone of the agreement */
  zone?: string | undefined;
  /** null or absent: the record is open */
  outcome?: TargetOutcome | null;
};

// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<SlaLook, { tone: ToneName | "plain"; icon?: IconComponent }>> = {
  calm:    { tone: "plain",  icon: IconClock },
  soon:    { tone: "yellow", icon: IconClock },
  urgent:  { tone: "orange", icon: IconFlame },
  overdue: { tone: "red",    icon: IconAlertTriangle },
  stopped: { tone: "violet", icon: IconPlayerPause },
  later:   { tone: "plain",  icon: IconMoon },
  none:    { tone: "plain" },
  met:     { tone: "green",  icon: IconCircleCheck },
  missed:  { tone: "red",    icon: IconAlertTriangle },
  over:    { tone: "plain",  icon: IconClock },
};

const fourHours = 4 * 60;

function chipText(look: SlaLook, { target, status }: Props, now: number): string {
  if (look === "met" || look === "missed") return t(`sla.${look}`);
  if (look === "stopped") return status === "waiting_for_customer" ? t("sla.customer") : t("sla.stopped");
  if (look === "none") return target === "no_target" ? t("sla.noTarget") : t("sla.bestEffort");
  const at = Date.parse(target ?? "");
  if (look === "later" || look === "over") return formatAhead(at, now);
  const minutes = Math.trunc((at - now) / 60_000);
  if (look === "overdue") return `−${formatMinutes(Math.abs(minutes))}`;
  // From four hours on, the time of day is more useful than the hours left.
  return minutes < fourHours ? formatMinutes(minutes) : formatClock(at);
}

/**
 * The full description: the target, the remaining time, and the exact time in the reader's zone and the agreement's.
 */
function describe(look: SlaLook, text: string, { target, kind, zone }: Props): string {
  const at = target === null ? Number.NaN : Date.parse(target);
  if (Number.isNaN(at)) return look === "stopped" ? t("sla.stoppedLong") : text;
  const name = t(`sla.kind.${kind ?? "any"}`);
  const there = zone ?? readerZone();
  const exact = formatExact(at);
  return there === readerZone() ? `${name}: ${exact}` : `${name}: ${exact}, ${formatExact(at, there)}`;
}

/** The time until the next target, in one of the looks of the design. */
export function SlaChip(props: Props) {
  const now = useNow();
  const look = props.outcome ?? slaLook(props.target, now, (at) => daysAway(at, now) > 0);
  const text = chipText(look, props, now);
  const whole = describe(look, text, props);
  const { tone, icon } = looks[look];
  return (
    <span className="chip sla" data-look={look} data-tone={tone} {...tip(whole)}>
      {icon !== undefined && <Icon of={icon} size={14} />}
      <span className="chip-text" aria-hidden="true">
        {text}
      </span>
      <span className="spoken">{`${text}. ${whole}`}</span>
    </span>
  );
}
