import { deriveLabel } from "../../../records/languages/derive-label.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { isMessage, t } from "../../languages/index.ts";
import { collectionLabel, finish } from "../../languages/labels.ts";

/** The name of a file's content: "Configuration items". */
export function exchangeTypeLabel(type: string): string {
  const entry = findEntryByCollection(type);
  if (entry !== undefined) return collectionLabel(entry);
  const key = `exchange.type.${type}`;
  return isMessage(key) ? t(key) : finish(deriveLabel(type));
}

/** "41 s", "3 min 20 s". */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return t("exchange.seconds", { seconds: whole });
  return t("exchange.minutes", { minutes: Math.floor(whole / 60), seconds: whole % 60 });
}

export const isRunning = ({ state }: { state: string }): boolean => state === "queued" || state === "processing";
