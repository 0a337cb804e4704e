import { randomBytes } from "node:crypto";
import { equalsConstantTime, signText } from "../../oauth/tokens.ts";
import { readCookie, setCookie } from "../cookies.ts";
import type { Visit } from "../visit.ts";

// A cookie remembers that people signed in on this device: a random number, its signature, and one signature for each of
// them. It gives no access; it only separates the owner's attempts from those of strangers.

const cookie = "steward_device";
const yearInSeconds = 365 * 24 * 3600;
/** Several people may share a device. */
const maxPeople = 5;

const sign = ({ oauth }: Visit, device: string, email: string): string =>
  signText(oauth.secret, "device", `${device} ${email.trim().toLowerCase()}`);

type Device = { number: string; people: readonly string[] };

function readDevice(visit: Visit): Device | null {
  const [number = "", signature = "", ...people] = (readCookie(visit.request, cookie, visit.origin) ?? "").split(".");
  if (!equalsConstantTime(signature, sign(visit, number, ""))) return null;
  return { number, people: people.slice(0, maxPeople) };
}

/** The number of the device, if somebody with this address signed in on it before. */
export function findKnownDevice(visit: Visit, email: string): string | null {
  const device = readDevice(visit);
  if (device === null || email.trim() === "") return null;
  const wanted = sign(visit, device.number, email);
  return device.people.some((signature) => equalsConstantTime(signature, wanted)) ? device.number : null;
}

/** After a successful sign-in. */
export function rememberDevice(visit: Visit, email: string): void {
  const { number, people } = readDevice(visit) ?? { number: randomBytes(18).toString("base64url"), people: [] };
  const own = sign(visit, number, email);
  const all = [own, ...people.filter((signature) => signature !== own)].slice(0, maxPeople);
  setCookie(visit, cookie, [number, sign(visit, number, ""), ...all].join("."), yearInSeconds);
}
