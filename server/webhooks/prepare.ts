import { describeError } from "../base/log.ts";
import { type Row, statement, type Transaction } from "../database/database.ts";
import { buildSharedReadClause } from "../engine/access.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { value } from "../engine/sql/query.ts";
import type { Type } from "../engine/types.ts";
import { type ClaimedDelivery, claimDeliveries, leaseSeconds } from "./claim.ts";
import { buildLinkHeader, buildMessage, buildPayload, type EventFacts, type MessageInput } from "./message.ts";
import { renewSignature, type SigningOptions, signMessage } from "./sign.ts";
import { getKeyInForce, unseal } from "./signing-keys.ts";
import type { Webhooks } from "./webhooks-context.ts";

// The first step: claims due deliveries and builds the bodies of new ones. Bodies are stored before they are sent, so
// that every retry sends the same bytes.

export type PreparedDelivery = {
  id: number;
  fence: number;
  kind: ClaimedDelivery["kind"];
  webhook: { id: number; account: string; name: string };
  recordId: number | null;
  uri: string;
  uuid: string;
  body: string;
  link: string;
  /** earlier tries since the last redelivery; `earlierTries`: before it */
  tries: number;
  earlierTries: number;
  expiresAt: Date | null;
  /** the trace of the change */
  traceparent: string | null;
  /** the reason why it cannot be sent */
  problem: string | null;
};

const maxMessageBytes = 1_000_000;

const saveBodies = statement(
  `UPDATE webhook_deliveries d SET body = x.body, link = x.link, payload = NULL
FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[]) AS x(id, fence, body, link) WHERE d.id = x.id AND d.fence = x.fence`,
);
const remove = statement("DELETE FROM webhook_deliveries WHERE id = ANY($1::bigint[])");
const expire = statement(
  "UPDATE webhook_deliveries SET state = 'failed', reason = 'the code has expired', finished_at = $2, payload = NULL WHERE id = ANY($1::bigint[])",
);
// A result may be recorded while the lease is renewed: a lease that was cleared must stay so, nothing would clear it again.
const renew = statement(
  `UPDATE webhook_deliveries d SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
FROM (SELECT y.id FROM unnest($1::bigint[], $2::integer[]) AS x(id, fence) JOIN webhook_deliveries y ON y.id = x.id AND y.fence = x.fence AND y.leased_until IS NOT NULL
  FOR UPDATE OF y SKIP LOCKED) z
WHERE d.id = z.id`,
);

/** Claims up to `limit` deliveries of each webhook and prepares those that need not wait for an earlier one. */
export async function prepareDeliveries(
  webhooks: Webhooks,
  webhookIds: readonly number[],
  limit: number,
): Promise<{ prepared: PreparedDelivery[]; more: number[]; blocked: number[] }> {
  const { engine } = webhooks;
  const now = engine.clock.now();
  const { claimed, more, blocked } = await claimDeliveries(engine.database, webhookIds, now, limit);
  const prepared: PreparedDelivery[] = [];
  const [invisible, expired]: [number[], number[]] = [[], []];
  for (const delivery of claimed) {
    if (delivery.expiresAt !== null && delivery.expiresAt <= now) expired.push(delivery.id);
    else if (!(await isVisibleToAccount(webhooks, delivery, now))) invisible.push(delivery.id);
    else prepared.push(await prepareDelivery(webhooks, delivery, now));
  }
  if (invisible.length > 0) await engine.database.change(remove, [invisible]);
  if (expired.length > 0) await engine.database.change(expire, [expired, now.toISOString()]);
  const storedBodies = new Map(claimed.map(({ id, body }) => [id, body]));
  const rebuilt = prepared.filter(({ id, body }) => storedBodies.get(id) !== body);
  if (rebuilt.length > 0)
    await engine.database.change(saveBodies, [
      rebuilt.map(({ id }) => id),
      rebuilt.map(({ fence }) => fence),
      rebuilt.map(({ body }) => body),
      rebuilt.map(({ link }) => link),
    ]);
  return { prepared, more, blocked };
}

/** Extends the leases of deliveries that are still being sent. */
export async function renewLeases({ engine }: Webhooks, list: readonly PreparedDelivery[]): Promise<void> {
  if (list.length > 0) await engine.database.change(renew, [list.map(({ id }) => id), list.map(({ fence }) => fence)]);
}

/** Another account gets an event of a shared record only if it can read the record. */
async function isVisibleToAccount({ engine }: Webhooks, claimed: ClaimedDelivery, now: Date): Promise<boolean> {
  const { changeEvent, webhook, body } = claimed;
  if (changeEvent === null || body !== null || changeEvent.account === webhook.account) return true;
  const { note_internal, audit_line_id } = changeEvent.facts;
  if (note_internal && audit_line_id === undefined) return false;
  const type = engine.types.get(changeEvent.type);
  if (type.sharing.acrossAccounts === null) return true;
  const visible = buildSharedReadClause(
    type,
    await loadServiceCaller(toQueryable(engine), webhook.account, now),
    engine.rules,
  );
  const query = engine.statements.prepare(
    `${type.name}#visible`,
    { id: value(changeEvent.id), visible },
    (sql) => `SELECT 1 FROM ${type.table} a WHERE a.id = ${sql.id} AND ${sql.visible}`,
  );
  return (await engine.database.read(query.statement, query.values)).length > 0;
}

async function prepareDelivery(webhooks: Webhooks, claimed: ClaimedDelivery, now: Date): Promise<PreparedDelivery> {
  const { id, fence, kind, webhook, recordId, uuid, tries, earlierTries, expiresAt } = claimed;
  const common = {
    id,
    fence,
    kind,
    webhook,
    recordId,
    uri: webhook.uri,
    uuid,
    tries,
    earlierTries,
    expiresAt,
    traceparent: claimed.changeEvent?.facts.traceparent ?? null,
  };
  try {
    const { body, link } = await buildBodyAndLink(webhooks, claimed, now);
    const problem = Buffer.byteLength(body) > maxMessageBytes ? "the message is too large" : null;
    return { ...common, body, link, problem };
  } catch (error) {
    webhooks.log.error("a message could not be prepared", { delivery: id, ...describeError(error) });
    return { ...common, body: claimed.body ?? "", link: claimed.link ?? "", problem: "the message could not be made" };
  }
}

async function buildBodyAndLink(
  webhooks: Webhooks,
  claimed: ClaimedDelivery,
  now: Date,
): Promise<{ body: string; link: string }> {
  const signing = buildSigningOptions(webhooks, claimed);
  if (claimed.body !== null && claimed.body !== "") {
    const isSigned = signing !== null && claimed.body.startsWith('{"jwt":"');
    const renewed = isSigned ? await renewSignature(signing, claimed.body, now) : null;
    return { body: renewed ?? claimed.body, link: claimed.link ?? "" };
  }
  const { domain, getAccountUrl, engine } = webhooks;
  const context = { domain, origin: webhooks.origin(), getAccountUrl, types: engine.types };
  const input = await buildMessageInput(webhooks, claimed, now);
  const message = buildMessage(context, input);
  const body = signing === null ? JSON.stringify(message) : await signMessage(signing, message, now);
  return { body, link: buildLinkHeader(context, input) };
}

function buildSigningOptions(
  { secret, getAccountUrl, engine }: Webhooks,
  { webhook, policy }: ClaimedDelivery,
): SigningOptions | null {
  if (policy === null) return null;
  return {
    key: getKeyInForce(unseal(secret, policy.name, policy.sealed), engine.clock.now()),
    webhook: webhook.id,
    account: getAccountUrl(webhook.account),
    policy: policy.name,
    audience: policy.audience,
    expiresIn: policy.expiresIn,
    discovery: webhook.discovery,
  };
}

async function buildMessageInput(webhooks: Webhooks, claimed: ClaimedDelivery, now: Date): Promise<MessageInput> {
  const { webhook, event, changeEvent } = claimed;
  if (changeEvent === null) return buildEventlessInput(webhooks, claimed);
  const { type, id, person } = changeEvent;
  const isOtherAccount = changeEvent.account !== webhook.account;
  const { note_id: _, ...withoutNote } = changeEvent.facts;
  const facts: EventFacts = isOtherAccount && withoutNote.note_internal ? withoutNote : changeEvent.facts;
  const base = { webhook, event, object: { type, id }, person };
  if (facts.call !== undefined) return { ...base, payload: JSON.parse(facts.call) };
  const common = buildPayload(webhooks.domain, event, facts, changeEvent);
  const record = facts.record === undefined ? {} : await serializeRecord(webhooks, claimed, facts.record, now);
  return {
    ...base,
    payload: { ...record, ...common },
    ...(facts.note_id === undefined ? {} : { note: facts.note_id }),
  };
}

/** Verification and test messages, which have no event. */
function buildEventlessInput(
  { getAccountUrl, engine }: Webhooks,
  { kind, webhook, event, payload }: ClaimedDelivery,
): MessageInput {
  const base = { webhook, event, person: null };
  if (kind === "test") {
    const type = event.split(".")[0] as string;
    const object = { type: engine.types.has(type) ? type : "webhook", id: 12345 };
    const person = payload?.person as { id: number; name: string } | undefined;
    return { ...base, object, person: person ?? null, payload: {} };
  }
  const { code, expires_at } = payload as { code: string; expires_at: number };
  const callback = `${getAccountUrl(webhook.account)}/webhooks/${webhook.id}/verify?code=${code}&expires_at=${expires_at}`;
  return { ...base, object: { type: "webhook", id: webhook.id }, payload: { callback } };
}

/** All fields of the record as of the change; it may have changed or been deleted since. */
async function serializeRecord(
  { engine }: Webhooks,
  { changeEvent, webhook }: ClaimedDelivery,
  values: Record<string, unknown>,
  now: Date,
): Promise<Record<string, unknown>> {
  const { type: name, id, account } = changeEvent as NonNullable<ClaimedDelivery["changeEvent"]>;
  const type = engine.types.get(name);
  const shape = engine.serializer.forRecord(type, pickPublicFields(type));
  const built = engine.statements.get(
    `${type.name}#told whole`,
    () =>
      `SELECT ${shape.columns.join(", ")} FROM jsonb_populate_record(NULL::${type.ownTable}, $1::jsonb) a ${shape.joins.join(" ")}`,
  );
  const row = { ...values, id, account_id: account, life_cycle: "active" };
  const [result] = await engine.database.read(built, [JSON.stringify(row)]);
  const reader = await loadServiceCaller(toQueryable(engine), webhook.account, now);
  return JSON.parse(shape.write(result as Row, 0, reader)) as Record<string, unknown>;
}

const toQueryable = ({ database }: Webhooks["engine"]): Pick<Transaction, "query"> => ({
  query: (query, values) => database.read(query, values),
});

/** Payloads contain no confidential fields. */
const pickPublicFields = (type: Type): string[] =>
  type.outputFields.filter((name) => {
    const amount = type.fields[name.replace(/_currency$/, "")];
    return amount?.confidential === undefined && type.fields[name]?.confidential === undefined;
  });
