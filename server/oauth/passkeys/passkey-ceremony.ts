import { BadRequest, Invalid } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import type { Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { signText } from "../tokens.ts";
import {
  findPasskey,
  insertPasskey,
  loadPasskeyRows,
  type PasskeyLine,
  recordPasskeyUse,
  type StoredPasskey,
  spendChallenge,
} from "./passkey-store.ts";

// D-554: passkeys (WebAuthn) with the checks of @simplewebauthn/server. The key is in an authenticator that unlocks it by
// fingerprint, face or PIN, so a passkey is two factors in one. Every response counts once, for one challenge that we issued.

// Loaded on demand: most processes start without it.
const loadLibrary = () => import("@simplewebauthn/server");
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Answer<Name extends "verifyRegistrationResponse" | "verifyAuthenticationResponse"> = Parameters<
  Library[Name]
>[0]["response"];

/** EdDSA, ES256, RS256: what authenticators have. Others are experimental in Node, which warns of them. */
const algorithms = [-8, -7, -257];
const maxPasskeys = 20;
const maxNameLength = 80;
const answerMilliseconds = 300_000;

/** The origin of the page; the keys belong to its host name. */
const getRelyingParty = (origin: string): string => new URL(origin).hostname;

/** The handle by which an authenticator knows the person instead of their id. */
const buildUserHandle = (oauth: Oauth, person: number): string =>
  signText(oauth.secret, "owner of passkeys", String(person));

/** The authenticator's response as the page sends it; `challenge`: the one that we gave to this browser. */
export type CeremonyAnswer = { challenge: string; response: unknown; origin: string; address: string };

export async function startRegistration(
  oauth: Oauth,
  person: { id: number; name: string },
  email: string,
  origin: string,
) {
  const present = await loadPasskeyRows(oauth.database, person.id);
  if (present.length >= maxPasskeys)
    throw new Invalid([["base", `you have ${maxPasskeys} passkeys: delete one first`]]);
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: "Steward",
    rpID: getRelyingParty(origin),
    userName: email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(buildUserHandle(oauth, person.id), "base64url")),
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    timeout: answerMilliseconds,
    excludeCredentials: present.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

const requireName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed === "") throw new Invalid([["name", "can't be blank"]]);
  if (trimmed.length > maxNameLength)
    throw new Invalid([["name", "is too long (maximum is {max} characters)", { max: maxNameLength }]]);
  if (!isStorable(trimmed)) throw new Invalid([["name", "contains invalid characters"]]);
  return trimmed;
};

const refuse = (): Invalid => new Invalid([["base", "the passkey could not be checked: try again"]]);

export async function finishRegistration(
  oauth: Oauth,
  person: { id: number; account: string },
  givenName: string,
  { challenge, response, origin, address }: CeremonyAnswer,
): Promise<PasskeyLine> {
  const name = requireName(givenName);
  const { verifyRegistrationResponse } = await loadLibrary();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: requireAnswer(response) as Answer<"verifyRegistrationResponse">,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: getRelyingParty(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => {
    throw refuse();
  });
  if (!verified) throw refuse();
  const { id: credential, publicKey, counter: signCount, transports = [] } = registrationInfo.credential;
  const now = oauth.clock.now().toISOString();
  return oauth.database.transaction(async (tx) => {
    if (!(await spendChallenge(oauth, tx, challenge))) throw refuse();
    const passkey = await insertPasskey(tx, now, person, {
      ...{ name, credential, signCount, publicKey: Buffer.from(publicKey).toString("base64url") },
      transports: transports.filter((each) => /^[a-z-]{1,30}$/.test(each)).slice(0, 10),
    });
    if (passkey === null) throw refuse();
    const details = { passkey: passkey.id, name };
    recordSecurityEvent(tx, now, {
      ...{ account: person.account, person: person.id, event: "passkey-added" as const, details, address },
    });
    return passkey;
  });
}

/** The browser offers the passkeys that it has for this host name. */
export async function startAuthentication(origin: string) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: getRelyingParty(origin),
    userVerification: "required",
    timeout: answerMilliseconds,
  });
}

/** Null: the passkey is unknown, its person may not sign in, or the response is wrong. */
export async function checkPasskey(oauth: Oauth, given: CeremonyAnswer): Promise<StoredPasskey | null> {
  const response = requireAnswer(given.response) as Answer<"verifyAuthenticationResponse">;
  const passkey = await findPasskey(oauth.database, response.id);
  if (passkey === null) return null;
  const reason = await findRefusal(oauth, passkey, response, given);
  if (reason === null) return passkey;
  const { id: person, account } = passkey.owner;
  await oauth.database.transaction(async (tx) =>
    recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
      ...{ account, person, event: "passkey-refused" as const, address: given.address },
      details: { passkey: passkey.id, reason },
    }),
  );
  return null;
}

async function findRefusal(
  oauth: Oauth,
  passkey: StoredPasskey,
  response: Answer<"verifyAuthenticationResponse">,
  { challenge, origin }: CeremonyAnswer,
): Promise<string | null> {
  const { userHandle } = response.response ?? {};
  if (userHandle && userHandle !== buildUserHandle(oauth, passkey.owner.id)) return "another person";
  const { verifyAuthenticationResponse } = await loadLibrary();
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: getRelyingParty(origin),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
      counter: passkey.sign_count,
    },
  }).catch((error: Error) => error);
  if (checked instanceof Error)
    return /counter/.test(checked.message) ? "signature counter went backwards" : "not valid";
  if (!checked.verified) return "wrong signature";
  const now = oauth.clock.now().toISOString();
  return oauth.database.transaction(async (tx) => {
    if (!(await spendChallenge(oauth, tx, challenge))) return "used twice";
    const isNewer = await recordPasskeyUse(tx, passkey.id, checked.authenticationInfo.newCounter, now);
    return isNewer ? null : "signature counter went backwards";
  });
}

/** The library reads what is inside; here it is only made sure that there is something to read. */
function requireAnswer(response: unknown): { id: string } {
  const { id, response: inner } = (response ?? {}) as { id?: unknown; response?: unknown };
  const isReadable =
    typeof id === "string" && /^[\w-]{1,1400}$/.test(id) && typeof inner === "object" && inner !== null;
  if (!isReadable) throw new BadRequest("The answer of the passkey could not be read");
  return response as { id: string };
}
