import { t } from "../words.ts";

/** 150 minutes are "2 hours 30 minutes". */
export function formatSpan(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return t("span.minutes", { count: whole });
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  if (rest === 0) return t("span.hours", { count: hours });
  return t("span.hoursMinutes", {
    hours: t("span.hours", { count: hours }),
    minutes: t("span.minutes", { count: rest }),
  });
}

/** The usual duration, rounded as in conversation. */
export function formatUsual(minutes: number): string {
  if (minutes < 50) return t("usual.underHour");
  if (minutes < 600) return t("usual.hours", { count: Math.max(1, Math.round(minutes / 60)) });
  return t("usual.days", { count: Math.max(1, Math.round(minutes / 1440)) });
}
