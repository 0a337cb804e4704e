import { describeError } from "../base/log.ts";
import { readableAcross } from "../engine/access.ts";
import { theService } from "../engine/system.ts";
import type { Type } from "../engine/types.ts";
import { type Row, statement, type Transaction } from "../storage/database.ts";
import { type Blocked, type Claimed, claimable, window } from "./claim.ts";
import { accountUrl, type Webhooks } from "./context.ts";
import { unseal } from "./keys.ts";
import { linkOf, messageOf, payloadOf, type Told } from "./message.ts";
import { type Signing, signed, signedAnew } from "./sign.ts";

// The first step: takes what is due, makes the bytes of messages that were never sent, and keeps them before anything
// leaves the process, so that every later try sends the same.

export type Prepared = {
  id: number;
  fence: number;
  kind: Claimed["kind"];
  webhook: { id: number; account: string; name: string };
  recordId: number | null;
  uri: string;
  uuid: string;
  body: string;
  link: string;
  /** tries before this one, on the schedule and altogether */
  tries: number;
  earlierTries: number;
  expiresAt: Date | null;
  /** why it cannot be sent at all */
  problem: string | null;
};

/** What a look found: messages that are leased to us, webhooks where there is more, and those where some must wait. */
export type Batch = { prepared: Prepared[]; more: number[]; blocked: number[] };

const leaseSeconds = 5;
const largestMessage = 1_000_000;

const lease = statement(
  `UPDATE webhook_deliveries d SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds', fence = d.fence + 1, body = x.body, link = x.link, payload = NULL
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS x(id, body, link) WHERE d.id = x.id`,
);
const defer = statement(
  "UPDATE webhook_deliveries d SET next_try_at = x.until FROM unnest($1::bigint[], $2::timestamptz[]) AS x(id, until) WHERE d.id = x.id",
);
const remove = statement("DELETE FROM webhook_deliveries WHERE id = ANY($1::bigint[])");
const expire = statement(
  "UPDATE webhook_deliveries SET state = 'failed', reason = 'the code has expired', finished_at = $2, payload = NULL WHERE id = ANY($1::bigint[])",
);
const renew = statement(
  `UPDATE webhook_deliveries d SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
FROM unnest($1::bigint[], $2::integer[]) AS x(id, fence) WHERE d.id = x.id AND d.fence = x.fence`,
);

/** `free`: how many more messages may be under way to the receiver of that webhook. */
export async function prepare(
  webhooks: Webhooks,
  lanes: readonly number[],
  free: (claimed: Claimed) => boolean,
): Promise<Batch> {
  const { engine } = webhooks;
  return engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    const { claimed, blocked, seen } = await claimable(tx, lanes, now);
    const batch: Batch = { prepared: [], more: [], blocked: [] };
    const [gone, expired]: [number[], number[]] = [[], []];
    const crowded = new Set([...seen].filter(([, count]) => count >= window).map(([webhook]) => webhook));
    const more = new Set(crowded);
    for (const each of claimed) {
      if (each.expiresAt !== null && each.expiresAt <= now) expired.push(each.id);
      else if (!(await isForIt(webhooks, tx, each, now))) gone.push(each.id);
      else if (!free(each)) more.add(each.webhook.id);
      else batch.prepared.push(await prepared(webhooks, tx, each, now));
    }
    const { prepared: list } = batch;
    if (list.length > 0)
      tx.send(lease, [list.map(({ id }) => id), list.map(({ body }) => body), list.map(({ link }) => link)]);
    if (gone.length > 0) tx.send(remove, [gone]);
    if (expired.length > 0) tx.send(expire, [expired, now.toISOString()]);
    putOff(tx, blocked, now, crowded);
    batch.more = [...more];
    batch.blocked = [...new Set(blocked.map(({ webhook }) => webhook))];
    return batch;
  });
}

/** Those that wait for a failed one are looked at when it is due; all others are put off where they crowd out the rest. */
function putOff(tx: Transaction, blocked: readonly Blocked[], now: Date, crowded: ReadonlySet<number>): void {
  const soon = new Date(now.getTime() + 1000);
  const list = blocked.flatMap(({ id, webhook, until, untried }) => {
    if (until !== null && until > now) return [{ id, moment: until }];
    return untried && crowded.has(webhook) ? [{ id, moment: soon }] : [];
  });
  if (list.length > 0) tx.send(defer, [list.map(({ id }) => id), list.map(({ moment }) => moment.toISOString())]);
}

/** Keeps what we are still sending ours. */
export async function renewLeases({ engine }: Webhooks, list: readonly Prepared[]): Promise<void> {
  if (list.length > 0) await engine.database.read(renew, [list.map(({ id }) => id), list.map(({ fence }) => fence)]);
}

/** A record shared with other accounts is told where it can be seen, and nowhere else. */
async function isForIt({ engine }: Webhooks, tx: Transaction, claimed: Claimed, now: Date): Promise<boolean> {
  const { occurrence, webhook, body } = claimed;
  if (occurrence === null || body !== null || occurrence.account === webhook.account) return true;
  const type = engine.types.named(occurrence.type);
  if (type.acrossAccounts === null) return true;
  const visible = readableAcross(type, await theService(tx, webhook.account, now), engine.rules);
  const built = engine.statements.get(`${type.name}#told#${visible.key}`, () => {
    let used = 1;
    return `SELECT 1 FROM ${type.table} a WHERE a.id = $1 AND ${visible.sql("a", () => `$${++used}`)}`;
  });
  return (await tx.query(built, [occurrence.id, ...visible.values])).length > 0;
}

async function prepared(webhooks: Webhooks, tx: Transaction, claimed: Claimed, now: Date): Promise<Prepared> {
  const { id, fence, kind, webhook, recordId, uuid, tries, earlierTries, expiresAt } = claimed;
  const common = {
    id,
    fence: fence + 1,
    kind,
    webhook,
    recordId,
    uri: webhook.uri,
    uuid,
    tries,
    earlierTries,
    expiresAt,
  };
  try {
    const { body, link } = await bytesOf(webhooks, tx, claimed, now);
    const problem = Buffer.byteLength(body) > largestMessage ? "the message is too large" : null;
    return { ...common, body, link, problem };
  } catch (error) {
    webhooks.log.error("a message could not be prepared", { delivery: id, ...describeError(error) });
    return { ...common, body: claimed.body ?? "", link: claimed.link ?? "", problem: "the message could not be made" };
  }
}

async function bytesOf(
  webhooks: Webhooks,
  tx: Transaction,
  claimed: Claimed,
  now: Date,
): Promise<{ body: string; link: string }> {
  const signing = signingOf(webhooks, claimed);
  if (claimed.body !== null && claimed.body !== "") {
    const isSigned = signing !== null && claimed.body.startsWith('{"jwt":"');
    const anew = isSigned ? await signedAnew(signing, claimed.body, now) : null;
    return { body: anew ?? claimed.body, link: claimed.link ?? "" };
  }
  const place = { domain: webhooks.domain, origin: webhooks.origin(), types: webhooks.engine.types };
  const told = await toldBy(webhooks, tx, claimed, now);
  const message = messageOf(place, told);
  const body = signing === null ? JSON.stringify(message) : await signed(signing, message, now);
  return { body, link: linkOf(place, told) };
}

function signingOf({ secret, origin }: Webhooks, { webhook, policy }: Claimed): Signing | null {
  if (policy === null) return null;
  return {
    key: unseal(secret, policy.name, policy.sealed).current,
    webhook: webhook.id,
    account: accountUrl(origin(), webhook.account),
    policy: policy.name,
    audience: policy.audience,
    expiresIn: policy.expiresIn,
    discovery: webhook.discovery,
  };
}

async function toldBy(webhooks: Webhooks, tx: Transaction, claimed: Claimed, now: Date): Promise<Told> {
  const { webhook, event, occurrence } = claimed;
  if (occurrence === null) return withoutEvent(webhooks, claimed);
  const { type, id, facts, person } = occurrence;
  const told = { webhook, event, object: { type, id }, person };
  if (facts.call !== undefined) return { ...told, payload: facts.call };
  const common = payloadOf(webhooks.domain, event, facts, occurrence);
  const record = facts.record === undefined ? {} : await wholeRecord(webhooks, tx, claimed, facts.record, now);
  return {
    ...told,
    payload: { ...record, ...common },
    ...(facts.note_id === undefined ? {} : { note: facts.note_id }),
  };
}

/** What asks for a callback, and what an administrator sends to see whether anybody is there. */
function withoutEvent({ origin, engine }: Webhooks, { kind, webhook, event, payload }: Claimed): Told {
  const base = { webhook, event, person: null };
  if (kind === "test") {
    const type = event.split(".")[0] as string;
    const object = { type: engine.types.has(type) ? type : "webhook", id: 12345 };
    const by = payload?.person as { id: number; name: string } | undefined;
    return { ...base, object, person: by ?? null, payload: {} };
  }
  const { code, expires_at } = payload as { code: string; expires_at: number };
  const callback = `${accountUrl(origin(), webhook.account)}/webhooks/${webhook.id}/verify?code=${code}&expires_at=${expires_at}`;
  return { ...base, object: { type: "webhook", id: webhook.id }, payload: { callback } };
}

/** All fields of a record as it was after the change, whatever became of it since. */
async function wholeRecord(
  { engine }: Webhooks,
  tx: Transaction,
  { occurrence, webhook }: Claimed,
  values: Record<string, unknown>,
  now: Date,
): Promise<Record<string, unknown>> {
  const { type: name, id, account } = occurrence as NonNullable<Claimed["occurrence"]>;
  const type = engine.types.named(name);
  const shape = engine.output.shape(type, openFields(type));
  const built = engine.statements.get(
    `${type.name}#told whole`,
    () =>
      `SELECT ${shape.columns.join(", ")} FROM jsonb_populate_record(NULL::${type.table}, $1::jsonb) a ${shape.joins.join(" ")}`,
  );
  const row = { ...values, id, account_id: account, life_cycle: "active" };
  const [found] = await tx.query(built, [JSON.stringify(row)]);
  const viewer = await theService(tx, webhook.account, now);
  return JSON.parse(shape.write(found as Row, 0, viewer)) as Record<string, unknown>;
}

/** Receivers are told nothing that is shown to some people only. */
const openFields = (type: Type): string[] =>
  type.shown.filter((name) => {
    const kept = type.fields[name.replace(/_currency$/, "")];
    return kept?.confidential === undefined && type.fields[name]?.confidential === undefined;
  });
