import { isIPv6 } from "node:net";
import { type Database, statement } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Oauth } from "../oauth-context.ts";
import { hashToken, signText } from "../tokens.ts";

// Slows down guessing: after some failures every further one doubles the wait, up to a quarter of an hour. An attempt is
// counted before the password is checked and undone when it succeeds, so that concurrent attempts count, too. The counts
// are in the database, so all processes share them. People of several accounts can have one email address, so an attempt
// counts for each person whose password it is compared with, and a success resets only that person's count (D-780).

type DelayKind = { free: number; forgottenAfter: number };
// biome-ignore format: a table keeps its columns
const kinds = {
  // guesses from devices on which the person never signed in, from any address
  guesses: { free: 5,  forgottenAfter: 24 * 3600 },
  // a device on which the person signed in before has a count of its own: strangers cannot lock its owner out
  device:  { free: 5,  forgottenAfter: 24 * 3600 },
  // so has a network from which the person signed in before; D-261
  network: { free: 5,  forgottenAfter: 24 * 3600 },
  // a person who is signed in and proves that again: by the current password, or by another factor
  person:  { free: 5,  forgottenAfter: 24 * 3600 },
  // many people can share an address
  address: { free: 20, forgottenAfter: 3600 },
  // limits emails to people who did not ask for them
  reset:   { free: 3,  forgottenAfter: 3600 },
  // and the number of such emails that one address causes
  resetsFrom: { free: 20, forgottenAfter: 3600 },
} satisfies Record<string, DelayKind>;

const firstWait = 5;
const longestWait = 900;

// $1 key, $2 now, $3 free failures, $4 seconds until failures are forgotten. Returns no row when the key is blocked.
const countFailure = statement(
  `INSERT INTO sign_in_delays AS d (key, failures, last_failed_at, blocked_until) VALUES ($1, 1, $2, $2)
ON CONFLICT (key) DO UPDATE SET
  failures = CASE WHEN d.last_failed_at < $2::timestamptz - make_interval(secs => $4) THEN 1 ELSE d.failures + 1 END,
  last_failed_at = $2,
  blocked_until = CASE WHEN d.last_failed_at < $2::timestamptz - make_interval(secs => $4) OR d.failures + 1 < $3 THEN $2
    ELSE $2::timestamptz + make_interval(secs => least(${longestWait}, ${firstWait} * power(2, least(d.failures + 1 - $3, 20)))) END
WHERE d.blocked_until <= $2 RETURNING 1`,
);
const selectBlockedUntil = jsonStatement<{ blocked_until: string }>(
  "SELECT blocked_until FROM sign_in_delays WHERE key = $1",
);
const deleteDelay = statement("DELETE FROM sign_in_delays WHERE key = $1");
const decrementFailures = statement(
  "UPDATE sign_in_delays SET failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, $2) WHERE key = $1",
);

const reduceFailures = statement("UPDATE sign_in_delays SET failures = greatest(failures - 1, 0) WHERE key = $1");

export type DelayKey = { kind: keyof typeof kinds; key: string };

/** The subject that an attempt counts for: a person, or an email address without a person, so that both are slowed down alike. */
export type Target = number | { email: string };

/** Hashed, because people sometimes type their password into the field for the address. */
const describeTarget = (target: Target): string =>
  typeof target === "number" ? String(target) : hashToken(target.email.trim().toLowerCase());

export const buildGuessKey = (target: Target, kind: "guesses" | "reset" = "guesses"): DelayKey => ({
  kind,
  key: `${kind} ${describeTarget(target)}`,
});

/** The device of a visitor, and who signed in on it before. */
export type KnownDevice = { number: string; knows: (target: Target) => boolean };

/** For a person who signed in on the device before. */
export const buildDeviceKey = (
  { number }: KnownDevice,
  target: Target,
  kind: "device" | "reset" = "device",
): DelayKey => ({
  kind,
  key: `${kind} ${hashToken(number)} ${describeTarget(target)}`,
});

/** `purpose`: what is proven, so that the counts of a password and of another factor are separate. */
export const buildPersonKey = (person: number, purpose: string): DelayKey => ({
  kind: "person",
  key: `person ${person} ${purpose}`,
});

/** One IPv6 client usually has a whole /64 network of addresses. */
const getNetwork = (address: string): string => (isIPv6(address) ? getIpv6Network(address) : address);

export const buildAddressKey = (address: string, kind: "address" | "resetsFrom" = "address"): DelayKey => ({
  kind,
  key: `${kind} ${getNetwork(address)}`,
});

/** For a network from which the person signed in before. */
export const buildNetworkKey = (address: string, target: Target): DelayKey => ({
  kind: "network",
  key: `network ${getNetwork(address)} ${describeTarget(target)}`,
});

// A network is known for 90 days. Its row is no delay: `blocked_until` keeps it from being deleted.
const knownSeconds = 90 * 24 * 3600;
const insertNetwork = statement(
  `INSERT INTO sign_in_delays AS d (key, failures, last_failed_at, blocked_until)
VALUES ($1, 0, $2, $2::timestamptz + make_interval(secs => ${knownSeconds}))
ON CONFLICT (key) DO UPDATE SET last_failed_at = excluded.last_failed_at, blocked_until = excluded.blocked_until`,
);
const selectNetwork = statement("SELECT 1 FROM sign_in_delays WHERE key = $1 AND blocked_until > $2");

/** Signed, so that the table does not reveal who signed in where. */
const signNetwork = ({ secret }: Oauth, address: string, target: Target): string =>
  `known ${signText(secret, "network", `${getNetwork(address)} ${describeTarget(target)}`)}`;

/** After a successful sign-in. */
export async function rememberNetwork(oauth: Oauth, address: string, person: number): Promise<void> {
  await oauth.database.change(insertNetwork, [signNetwork(oauth, address, person), oauth.clock.now().toISOString()]);
}

export const isKnownNetwork = async (oauth: Oauth, address: string, target: Target): Promise<boolean> =>
  (await oauth.database.read(selectNetwork, [signNetwork(oauth, address, target), oauth.clock.now().toISOString()]))
    .length > 0;

function getIpv6Network(address: string): string {
  const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const [left, right] = [head, tail].map((part) => part.split(":").filter((group) => group !== "")) as [
    string[],
    string[],
  ];
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

/** Counts an attempt. Null: allowed. Otherwise the time of the next allowed attempt; further keys are not counted then. */
export async function countAttempt(oauth: Oauth, ...keys: readonly DelayKey[]): Promise<Date | null> {
  const now = oauth.clock.now().toISOString();
  for (const { kind, key } of keys) {
    const { free, forgottenAfter } = kinds[kind];
    if ((await oauth.database.change(countFailure, [key, now, free, forgottenAfter])).length > 0) continue;
    return new Date((await queryFirst(oauth.database, selectBlockedUntil, [key]))?.blocked_until ?? now);
  }
  return null;
}

export async function clearDelay(database: Database, { key }: DelayKey): Promise<void> {
  await database.change(deleteDelay, [key]);
}

export async function undoAttempt(oauth: Oauth, { key }: DelayKey): Promise<void> {
  await oauth.database.change(decrementFailures, [key, oauth.clock.now().toISOString()]);
}

/** Like undoAttempt, but the wait that the attempt caused stays: for a person whose password was compared and differs. */
export async function reduceCount({ database }: Oauth, { key }: DelayKey): Promise<void> {
  await database.change(reduceFailures, [key]);
}
