import { timeZones } from "../../records/enumerations/time-zones.ts";

// Zones go over the wire by their friendly name; arithmetic uses the IANA zone behind it.

const byName: Record<string, string> = timeZones;
const nameByZone = new Map<string, string>();
for (const [name, zone] of Object.entries(byName)) if (!nameByZone.has(zone)) nameByZone.set(zone, name);

export const toIanaZone = (name: string | null | undefined): string =>
  (name !== null && name !== undefined && byName[name]) || "Etc/UTC";

/** The offset of a zone at a moment, in minutes east of UTC. */
export function offsetAt(zone: string, moment: Date): number {
  const text =
    new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
      .formatToParts(moment)
      .find((part) => part.type === "timeZoneName")?.value ?? "GMT";
  const match = /^GMT([+-])(\d\d):(\d\d)/.exec(text);
  if (match === null) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** The zone for a friendly name or an IANA name in any spelling; null when there is none. */
export function parseZone(input: string): string | null {
  if (Object.hasOwn(byName, input)) return byName[input] as string;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: input }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** A friendly name, or an IANA zone turned into the friendly name of the same zone or else of the same offset. */
export function pickZoneName(input: string, now: Date): string | null {
  if (Object.hasOwn(byName, input)) return input;
  const canonical = parseZone(input);
  if (canonical === null) return null;
  const same = nameByZone.get(input) ?? nameByZone.get(canonical);
  if (same !== undefined) return same;
  const offset = offsetAt(canonical, now);
  return Object.keys(byName).find((name) => offsetAt(byName[name] as string, now) === offset) ?? null;
}
