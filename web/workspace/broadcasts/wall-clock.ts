import { ianaZone } from "../../fields/time/iana-zone.ts";

/** The wall-clock time of a moment in a zone, in the format of browser inputs: "2026-11-17T08:55". */
export function toWallClock(moment: string, zone: string): string {
  const parts = new Intl.DateTimeFormat("sv-SE", {
    timeZone: ianaZone(zone),
    dateStyle: "short",
    timeStyle: "short",
  }).format(new Date(moment));
  return parts.replace(" ", "T");
}
