import { timeZones } from "../../../records/enumerations/time-zones.ts";

// A module of its own, because the first page does without the table: the session names the reader's zone.

const zones: Readonly<Record<string, string>> = timeZones;

/** The zone of a record ("Amsterdam") as browsers know it ("Europe/Amsterdam"). */
export const ianaZone = (name: string): string => zones[name] ?? "UTC";
