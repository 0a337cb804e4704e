import { timeZones } from "../../../records/enumerations/time-zones.ts";

// A separate module, because the first page doesn't need the table: the session contains the reader's zone.

const zones: Readonly<Record<string, string>> = timeZones;

/** The IANA name ("Europe/Amsterdam") of a record's zone ("Amsterdam"). */
export const ianaZone = (name: string): string => zones[name] ?? "UTC";
