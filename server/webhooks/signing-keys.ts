import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { sealText, unsealText } from "../base/sealed-text.ts";

// The keys of webhook policies. Private keys and shared secrets are encrypted with the secret of the instance.

/** `secret` for hs*, the PEMs for rs* and es*, none of them for none. */
export type SigningKey = { alg: string; kid: string; secret?: string; privatePem?: string; publicPem?: string };
/** Retries keep their signature, so a retired public key stays available for as long as messages are retried. */
export type SigningKeys = {
  current: SigningKey;
  retired: { key: Omit<SigningKey, "privatePem">; until: string }[];
  /** takes the place of the current one at that moment; receivers know it already */
  next?: { key: SigningKey; from: string };
};

const retirementMilliseconds = 5 * 86_400_000;
const curves: Record<string, string> = { es256: "P-256", es384: "P-384", es512: "P-521" };
const generate = promisify(generateKeyPair) as unknown as (
  type: string,
  options: object,
) => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>;

export const isAsymmetric = (alg: string): boolean => /^(rs|es)/.test(alg);

async function createKey(alg: string): Promise<SigningKey> {
  const kid = randomBytes(16).toString("hex");
  if (alg.startsWith("hs")) return { alg, kid, secret: randomBytes(Number(alg.slice(2)) / 8).toString("hex") };
  if (!isAsymmetric(alg)) return { alg, kid };
  const { publicKey, privateKey } = await (alg.startsWith("rs")
    ? generate("rsa", { modulusLength: 2048 })
    : generate("ec", { namedCurve: curves[alg] }));
  return {
    alg,
    kid,
    privatePem: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    publicPem: String(publicKey.export({ type: "spki", format: "pem" })),
  };
}

/** Creates a new key and retires the previous one. */
export async function rotateKey(alg: string, before: SigningKeys | null, now: Date): Promise<SigningKeys> {
  return { current: await createKey(alg), retired: before === null ? [] : retireKey(before, now) };
}

function retireKey({ current, retired: before, next }: SigningKeys, now: Date): SigningKeys["retired"] {
  const retired = before.filter(({ until }) => until > now.toISOString());
  const until = new Date(now.getTime() + retirementMilliseconds).toISOString();
  for (const { privatePem: _, ...key } of [current, ...(next === undefined ? [] : [next.key])])
    if (key.publicPem !== undefined) retired.unshift({ key, until });
  return retired.slice(0, 5);
}

/** A new key that takes over at a moment. A key that has taken over by now becomes the current one. */
export async function rotateInAdvance(alg: string, before: SigningKeys, now: Date, from: Date): Promise<SigningKeys> {
  const { next, ...rest } = before;
  const hasTakenOver = next !== undefined && next.from <= now.toISOString();
  const settled: SigningKeys = hasTakenOver ? { current: next.key, retired: retireKey(rest, now) } : rest;
  return { ...settled, next: { key: await createKey(alg), from: from.toISOString() } };
}

/** The key that messages are signed with now. */
export const getKeyInForce = ({ current, next }: SigningKeys, now: Date): SigningKey =>
  next !== undefined && next.from <= now.toISOString() ? next.key : current;

/** The key that is shown once to the person who created it. */
export const getDisplayedKey = ({ current }: SigningKeys): string | null => current.publicPem ?? current.secret ?? null;

/** The public keys for the discovery document. */
export function buildJwks({ current, retired, next }: SigningKeys, now: Date): object[] {
  const valid = retired.filter(({ until }) => until > now.toISOString()).map(({ key }) => key);
  return [current, ...(next === undefined ? [] : [next.key]), ...valid].flatMap(({ alg, kid, publicPem }) =>
    publicPem === undefined
      ? []
      : [{ ...createPublicKey(publicPem).export({ format: "jwk" }), kid, use: "sig", alg: alg.toUpperCase() }],
  );
}

const purpose = "keys of webhook policies";

/** `name` is the name of the policy: keys sealed for one policy cannot be unsealed for another. */
export const seal = (secret: string, name: string, keys: SigningKeys): string =>
  sealText(secret, purpose, name, JSON.stringify(keys));

const unsealedKeys = new Map<string, SigningKeys>();

export function unseal(secret: string, name: string, text: string): SigningKeys {
  const cacheKey = createHash("sha256").update(text).digest("base64url");
  let keys = unsealedKeys.get(cacheKey);
  if (keys === undefined) {
    keys = JSON.parse(unsealText(secret, purpose, name, text)) as SigningKeys;
    if (unsealedKeys.size > 500) unsealedKeys.clear();
    unsealedKeys.set(cacheKey, keys);
  }
  return keys;
}
