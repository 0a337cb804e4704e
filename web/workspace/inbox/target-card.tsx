import type { InboxItem } from "../../api/index.ts";
import { daysAway, formatMinutes, formatWithin } from "../../base/moments.ts";
import type { ToneName } from "../../base/tokens.ts";
import { type MessageKey, t } from "../../languages/index.ts";
import { useNow } from "../../parts/now.ts";
import { type SlaLook, slaLook } from "../../parts/work/sla-look.ts";

// biome-ignore format: a table keeps its columns
const tones: Readonly<Record<SlaLook, ToneName>> = {
  calm: "green", soon: "yellow", urgent: "orange", overdue: "red", stopped: "violet", later: "grey", none: "grey", met: "green", missed: "red", over: "grey",
};

/** The next target in large digits. */
export function TargetCard({ item }: { item: InboxItem }) {
  const now = useNow();
  const { next_target_at: target, kind_of_target: kind, status } = item;
  const look = slaLook(target, now, (at) => daysAway(at, now) > 0);
  const at = target === null ? Number.NaN : Date.parse(target);
  if (Number.isNaN(at)) {
    const words: MessageKey =
      look !== "stopped"
        ? "sla.bestEffort"
        : status === "waiting_for_customer"
          ? "inbox.target.customer"
          : "sla.stoppedLong";
    return (
      <div className="target-card" data-tone={tones[look]}>
        <span className="target-label">{t(words)}</span>
      </div>
    );
  }
  const minutes = Math.trunc((at - now) / 60_000);
  const name = t(`inbox.target.${kind ?? "resolution"}`);
  const label = look === "overdue" ? t("inbox.target.past", { name }) : t("inbox.target.in", { name });
  return (
    <div className="target-card" data-tone={tones[look]}>
      <span>
        <span className="target-label">{label}</span>
        <span className="target-figure numbers" role="timer">
          {formatMinutes(Math.abs(minutes))}
        </span>
      </span>
      <span className="target-when numbers">{formatWithin(at, now)}</span>
    </div>
  );
}
