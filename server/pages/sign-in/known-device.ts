import { randomBytes } from "node:crypto";
import type { KnownDevice } from "../../oauth/sessions/sign-in-delays.ts";
import { equalsConstantTime, signText } from "../../oauth/tokens.ts";
import { readCookie, setCookie } from "../cookies.ts";
import type { Visit } from "../visit.ts";

// A cookie remembers that people signed in on this device: a random number, its signature, and one signature for each of
// them. It gives no access; it only separates the owner's attempts from those of strangers. It names people, not addresses:
// someone with the same address in another account is a stranger (D-780).

const cookie = "steward_device";
const yearInSeconds = 365 * 24 * 3600;
/** Several people may share a device. */
const maxPeople = 5;

const sign = ({ oauth }: Visit, device: string, person: number | null): string =>
  signText(oauth.secret, "device", `${device} ${person === null ? "" : `person ${person}`}`);

type Device = { number: string; people: readonly string[] };

function readDevice(visit: Visit): Device | null {
  const [number = "", signature = "", ...people] = (readCookie(visit.request, cookie, visit.origin) ?? "").split(".");
  if (!equalsConstantTime(signature, sign(visit, number, null))) return null;
  return { number, people: people.slice(0, maxPeople) };
}

export function readKnownDevice(visit: Visit): KnownDevice | null {
  const device = readDevice(visit);
  if (device === null) return null;
  const { number, people } = device;
  const isRemembered = (person: number) => {
    const wanted = sign(visit, number, person);
    return people.some((signature) => equalsConstantTime(signature, wanted));
  };
  return { number, knows: (target) => typeof target === "number" && isRemembered(target) };
}

/** After a successful sign-in. */
export function rememberDevice(visit: Visit, owners: readonly { id: number }[]): void {
  const { number, people } = readDevice(visit) ?? { number: randomBytes(18).toString("base64url"), people: [] };
  const own = owners.map(({ id }) => sign(visit, number, id));
  const all = [...own, ...people.filter((signature) => !own.includes(signature))].slice(0, maxPeople);
  setCookie(visit, cookie, [number, sign(visit, number, null), ...all].join("."), yearInSeconds);
}
