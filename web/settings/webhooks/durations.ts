import { formatMinutes } from "../../base/moments.ts";
import { t } from "../../languages/index.ts";

/** The duration of a call: "84 ms", "1.2 s". */
export const formatTook = (milliseconds: number): string =>
  milliseconds < 1000
    ? t("webhooks.took", { milliseconds })
    : t("time.seconds", { seconds: Math.round(milliseconds / 100) / 10 });

/** A pause between attempts, or until the next one: "5 s", "1 min 48 s", "2 h 30 min". */
export function formatPause(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds / 1000));
  const [minutes, seconds] = [Math.floor(whole / 60), whole % 60];
  if (minutes === 0) return t("time.seconds", { seconds });
  return minutes >= 10 || seconds === 0 ? formatMinutes(minutes) : t("exchange.minutes", { minutes, seconds });
}
