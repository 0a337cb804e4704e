import { Progress } from "@mantine/core";
import type { ImportSummary } from "../../api/exchange.ts";
import { t } from "../../languages/index.ts";
import { formatSeconds } from "./labels.ts";

/** The progress of a file, its speed and the remaining time. */
export function ProgressLine({ entry, label }: { entry: ImportSummary; label: string }) {
  const { total, done, rate, remaining } = entry;
  const share = total === null || total === 0 ? 0 : (done / total) * 100;
  return (
    <div className="import-progress">
      <Progress value={share} animated={total === null} aria-label={label} />
      <p className="quiet numbers" aria-live="polite">
        {total === null ? t("exchange.rowsDone", { done }) : t("exchange.rowsOf", { done, total })}
        {rate !== undefined && <span> · {t("exchange.rate", { rate: Math.round(rate) })}</span>}
        {remaining !== undefined && <span> · {t("exchange.remaining", { time: formatSeconds(remaining) })}</span>}
      </p>
    </div>
  );
}
