import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { keyRotation, newKeyRotation } from "../../../records/answers/webhook-sandboxes.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { getKeyInForce, rotateInAdvance, type SigningKeys, seal, unseal } from "../signing-keys.ts";
import type { Webhooks } from "../webhooks-context.ts";

// Replaces the key of a policy without a moment at which receivers refuse messages: the new key is shown immediately and used
// only after an overlap, in which receivers accept both. D-478

const maxOverlap = 30 * 24; // hours

const selectPolicy = statement(
  "SELECT name, jwt_alg, sealed_key FROM webhook_policies WHERE id = $1 AND account_id = $2 FOR UPDATE",
);
const storeKey = statement(
  "UPDATE webhook_policies SET sealed_key = $2, updated_at = $3, revision = revision + 1 WHERE id = $1",
);
const insertAuditLine = statement(
  `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at, origin)
VALUES ($1, 'update', 'webhook_policy', $2, $3, $4, $4, $5, $6)`,
);

type RotationState = AnswerOf<typeof keyRotation>;

const describe = (keys: SigningKeys, now: Date): RotationState => {
  const current = getKeyInForce(keys, now);
  const isPending = keys.next !== undefined && keys.next.from > now.toISOString();
  return {
    ...{ alg: current.alg, key_id: current.kid },
    next_key_id: isPending ? (keys.next?.key.kid ?? null) : null,
    next_from: isPending ? (keys.next?.from ?? null) : null,
  };
};

async function loadKeys({ secret }: Webhooks, tx: Transaction, by: Caller, id: number) {
  const [row] = await tx.query(selectPolicy, [id, by.account]);
  if (row === undefined) throw new NotFound();
  const [name, alg, sealed] = row as [string, string, string | null];
  if (sealed === null || alg === "none") throw new Invalid([["jwt_alg", "has no key"]]);
  return { name, alg, keys: unseal(secret, name, sealed) };
}

function store({ secret }: Webhooks, tx: Transaction, by: Caller, id: number, name: string, keys: SigningKeys): void {
  const now = toTimestamp(by.now);
  tx.send(storeKey, [id, seal(secret, name, keys), now]);
  const changes = {
    key_id: [keys.current.kid, keys.next?.key.kid ?? keys.current.kid],
    key_from: [null, keys.next?.from ?? now],
  };
  const values = [by.account, id, JSON.stringify(changes), by.person, now, JSON.stringify(by.changeOrigin)];
  tx.send(insertAuditLine, values);
}

export const loadRotation = (webhooks: Webhooks, by: Caller, id: number): Promise<RotationState> =>
  webhooks.engine.database.transaction(async (tx) => describe((await loadKeys(webhooks, tx, by, id)).keys, by.now));

/** The new key, shown this once. `overlap_hours`: how long messages are still signed with the old one. */
export async function startRotation(
  webhooks: Webhooks,
  by: Caller,
  id: number,
  { overlap_hours: given }: Readonly<Record<string, unknown>>,
): Promise<AnswerOf<typeof newKeyRotation>> {
  const hours = given === undefined ? 24 : given;
  if (typeof hours !== "number" || !Number.isInteger(hours) || hours < 0 || hours > maxOverlap)
    throw new Invalid([["overlap_hours", `must be between 0 and ${maxOverlap}`]]);
  return webhooks.engine.database.transaction(async (tx) => {
    const { name, alg, keys } = await loadKeys(webhooks, tx, by, id);
    const from = new Date(by.now.getTime() + hours * 3_600_000);
    const rotated = await rotateInAdvance(alg, keys, by.now, from);
    store(webhooks, tx, by, id, name, rotated);
    const key = rotated.next?.key ?? rotated.current;
    return { ...describe(rotated, by.now), public_key_pem: key.publicPem ?? key.secret ?? null };
  });
}

/** Uses the new key from now on, or gives it up. */
export async function endRotation(
  webhooks: Webhooks,
  by: Caller,
  id: number,
  outcome: "use" | "cancel",
): Promise<RotationState> {
  return webhooks.engine.database.transaction(async (tx) => {
    const { name, keys } = await loadKeys(webhooks, tx, by, id);
    if (keys.next === undefined || keys.next.from <= by.now.toISOString())
      throw new Invalid([["base", "no new key waits"]]);
    const { next, ...rest } = keys;
    const ended: SigningKeys = outcome === "cancel" ? rest : { ...keys, next: { ...next, from: by.now.toISOString() } };
    store(webhooks, tx, by, id, name, ended);
    return describe(ended, by.now);
  });
}
