import { describeError } from "../base/log.ts";
import { buildSharedReadClause } from "../engine/access.ts";
import { loadServiceCaller } from "../engine/service-caller.ts";
import { value } from "../engine/sql/query.ts";
import type { Type } from "../engine/types.ts";
import { type Row, statement, type Transaction } from "../storage/database.ts";
import { type ClaimedDelivery, claimDeliveries, leaseSeconds } from "./claim.ts";
import { accountUrl, type Webhooks } from "./context.ts";
import { buildLinkHeader, buildMessage, buildPayload, type EventFacts, type MessageInput } from "./message.ts";
import { renewSignature, type SigningOptions, signMessage } from "./sign.ts";
import { unseal } from "./signing-keys.ts";

// The first step: takes what is due, makes the bytes of messages that were never sent, and keeps them before anything
// leaves the process, so that every later try sends the same.

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
  /** tries before this one, on the schedule and altogether */
  tries: number;
  earlierTries: number;
  expiresAt: Date | null;
  /** why it cannot be sent at all */
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
// A settlement may overtake us: what it has let go of must not be leased again, nobody would ever give it back.
const renew = statement(
  `UPDATE webhook_deliveries d SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
FROM (SELECT y.id FROM unnest($1::bigint[], $2::integer[]) AS x(id, fence) JOIN webhook_deliveries y ON y.id = x.id AND y.fence = x.fence AND y.leased_until IS NOT NULL
  FOR UPDATE OF y SKIP LOCKED) z
WHERE d.id = z.id`,
);

/** Looks at the first `atMost` messages of each webhook and makes those ready that may go. */
export async function prepareDeliveries(
  webhooks: Webhooks,
  lanes: readonly number[],
  atMost: number,
): Promise<{ prepared: PreparedDelivery[]; more: number[]; blocked: number[] }> {
  const { engine } = webhooks;
  const now = engine.clock.now();
  const { claimed, more, blocked } = await claimDeliveries(engine.database, lanes, now, atMost);
  const list: PreparedDelivery[] = [];
  const [gone, expired]: [number[], number[]] = [[], []];
  for (const each of claimed) {
    if (each.expiresAt !== null && each.expiresAt <= now) expired.push(each.id);
    else if (!(await isVisibleToAccount(webhooks, each, now))) gone.push(each.id);
    else list.push(await prepareDelivery(webhooks, each, now));
  }
  if (gone.length > 0) await engine.database.read(remove, [gone]);
  if (expired.length > 0) await engine.database.read(expire, [expired, now.toISOString()]);
  const before = new Map(claimed.map(({ id, body }) => [id, body]));
  const made = list.filter(({ id, body }) => before.get(id) !== body);
  if (made.length > 0)
    await engine.database.read(saveBodies, [
      made.map(({ id }) => id),
      made.map(({ fence }) => fence),
      made.map(({ body }) => body),
      made.map(({ link }) => link),
    ]);
  return { prepared: list, more, blocked };
}

/** Keeps what we are still sending ours. */
export async function renewLeases({ engine }: Webhooks, list: readonly PreparedDelivery[]): Promise<void> {
  if (list.length > 0) await engine.database.read(renew, [list.map(({ id }) => id), list.map(({ fence }) => fence)]);
}

/** A record shared with other accounts is told where it can be seen, and nowhere else. */
async function isVisibleToAccount({ engine }: Webhooks, claimed: ClaimedDelivery, now: Date): Promise<boolean> {
  const { changeEvent: occurrence, webhook, body } = claimed;
  if (occurrence === null || body !== null || occurrence.account === webhook.account) return true;
  const { note_internal, audit_line_id } = occurrence.facts;
  if (note_internal && audit_line_id === undefined) return false;
  const type = engine.types.get(occurrence.type);
  if (type.acrossAccounts === null) return true;
  const visible = buildSharedReadClause(
    type,
    await loadServiceCaller(toQueryable(engine), webhook.account, now),
    engine.rules,
  );
  const query = engine.statements.prepare(
    `${type.name}#visible`,
    { id: value(occurrence.id), visible },
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
    const anew = isSigned ? await renewSignature(signing, claimed.body, now) : null;
    return { body: anew ?? claimed.body, link: claimed.link ?? "" };
  }
  const place = { domain: webhooks.domain, origin: webhooks.origin(), types: webhooks.engine.types };
  const told = await buildMessageInput(webhooks, claimed, now);
  const message = buildMessage(place, told);
  const body = signing === null ? JSON.stringify(message) : await signMessage(signing, message, now);
  return { body, link: buildLinkHeader(place, told) };
}

function buildSigningOptions(
  { secret, origin }: Webhooks,
  { webhook, policy }: ClaimedDelivery,
): SigningOptions | null {
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

async function buildMessageInput(webhooks: Webhooks, claimed: ClaimedDelivery, now: Date): Promise<MessageInput> {
  const { webhook, event, changeEvent: occurrence } = claimed;
  if (occurrence === null) return buildEventlessInput(webhooks, claimed);
  const { type, id, person } = occurrence;
  const isElsewhere = occurrence.account !== webhook.account;
  const { note_id: _, ...withoutNote } = occurrence.facts;
  const facts: EventFacts = isElsewhere && withoutNote.note_internal ? withoutNote : occurrence.facts;
  const told = { webhook, event, object: { type, id }, person };
  if (facts.call !== undefined) return { ...told, payload: JSON.parse(facts.call) };
  const common = buildPayload(webhooks.domain, event, facts, occurrence);
  const record = facts.record === undefined ? {} : await serializeRecord(webhooks, claimed, facts.record, now);
  return {
    ...told,
    payload: { ...record, ...common },
    ...(facts.note_id === undefined ? {} : { note: facts.note_id }),
  };
}

/** What asks for a callback, and what an administrator sends to see whether anybody is there. */
function buildEventlessInput(
  { origin, engine }: Webhooks,
  { kind, webhook, event, payload }: ClaimedDelivery,
): MessageInput {
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
async function serializeRecord(
  { engine }: Webhooks,
  { changeEvent: occurrence, webhook }: ClaimedDelivery,
  values: Record<string, unknown>,
  now: Date,
): Promise<Record<string, unknown>> {
  const { type: name, id, account } = occurrence as NonNullable<ClaimedDelivery["changeEvent"]>;
  const type = engine.types.get(name);
  const shape = engine.serializer.forFields(type, pickPublicFields(type));
  const built = engine.statements.get(
    `${type.name}#told whole`,
    () =>
      `SELECT ${shape.columns.join(", ")} FROM jsonb_populate_record(NULL::${type.ownTable}, $1::jsonb) a ${shape.joins.join(" ")}`,
  );
  const row = { ...values, id, account_id: account, life_cycle: "active" };
  const [found] = await engine.database.read(built, [JSON.stringify(row)]);
  const viewer = await loadServiceCaller(toQueryable(engine), webhook.account, now);
  return JSON.parse(shape.write(found as Row, 0, viewer)) as Record<string, unknown>;
}

const toQueryable = ({ database }: Webhooks["engine"]): Pick<Transaction, "query"> => ({
  query: (asked, values) => database.read(asked, values),
});

/** Receivers are told nothing that is shown to some people only. */
const pickPublicFields = (type: Type): string[] =>
  type.outputFields.filter((name) => {
    const kept = type.fields[name.replace(/_currency$/, "")];
    return kept?.confidential === undefined && type.fields[name]?.confidential === undefined;
  });
