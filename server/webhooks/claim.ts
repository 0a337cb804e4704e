import { type Database, type Row, statement } from "../database/database.ts";
import type { EventFacts, Party } from "./message.ts";
import { planForFewRows } from "./plan-for-few-rows.ts";

// Claims due deliveries: the first `limit` of each webhook by due time, and only the first waiting one of each record. One
// statement finds and leases them and reads everything that a message is built from.

export type ClaimedDelivery = {
  id: number;
  fence: number;
  uuid: string;
  kind: "event" | "verify" | "test";
  event: string;
  recordId: number | null;
  body: string | null;
  link: string | null;
  /** of verification and test messages */
  payload: Record<string, unknown> | null;
  tries: number;
  earlierTries: number;
  expiresAt: Date | null;
  webhook: { id: number; account: string; name: string; uri: string; discovery: boolean };
  policy: { name: string; alg: string; audience: string | null; expiresIn: number | null; sealed: string } | null;
  changeEvent: {
    account: string;
    type: string;
    id: number;
    person: { id: number; name: string } | null;
    facts: EventFacts;
    team: Party | null;
    member: Party | null;
  } | null;
};

/**
 * Leased deliveries, webhooks that may have more of them, and webhooks with deliveries that wait for an earlier one. A claim
 * that found only deliveries behind others in flight does not ask for the next claim: recording a result does.
 */
export type ClaimResult = { claimed: ClaimedDelivery[]; more: number[]; blocked: number[] };

export const leaseSeconds = 5;

const buildPartyColumns = (alias: string) =>
  `${alias}.id, ${alias}.name, ${alias}."sourceID", ${alias}.disabled, ${alias}.account_id, ${alias}a.name`;

// The previous waiting delivery of the same record decides whether one may be sent. If not, it is postponed until the
// previous one is due or has held others back for long enough; where blocked deliveries fill the whole claim, they are
// postponed by a second so that others get their turn. Only an unexpired lease shows that the previous one is in
// flight: a crashed process leaves its leases behind. No condition compares the time of a
// row with that of another one, although it would identify the partition: choosing partitions while a statement locks rows
// crashes PostgreSQL 18 (D-684).
const claimDue = statement(`WITH due AS MATERIALIZED (
  SELECT d.*, b.id AS before_id, count(*) OVER (PARTITION BY d.webhook_id) >= $3::integer AS crowded,
    CASE WHEN b.leased_until IS NULL OR b.leased_until < clock_timestamp() THEN least(b.next_try_at, b.holds_until) END AS until
  FROM unnest($2::integer[]) AS lane(webhook_id) JOIN webhooks w ON w.id = lane.webhook_id
  CROSS JOIN LATERAL (SELECT x.* FROM webhook_deliveries x WHERE x.webhook_id = w.id AND x.state = 'waiting' AND x.next_try_at <= $1
    AND (x.leased_until IS NULL OR x.leased_until < clock_timestamp()) AND (x.kind <> 'event' OR (w.verified AND NOT w.disabled))
    ORDER BY x.next_try_at, x.id LIMIT $3 FOR UPDATE SKIP LOCKED) d
  LEFT JOIN LATERAL (SELECT y.* FROM webhook_deliveries y WHERE y.webhook_id = d.webhook_id AND y.record_id = d.record_id AND y.id < d.id
    AND y.state = 'waiting' AND (y.holds_until IS NULL OR y.holds_until > $1) ORDER BY y.id DESC LIMIT 1) b ON true
), leased AS (
  UPDATE webhook_deliveries x SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds', fence = x.fence + 1
  FROM due WHERE x.id = due.id AND x.account_id = due.account_id AND due.before_id IS NULL
), put_off AS (
  UPDATE webhook_deliveries x SET next_try_at = CASE WHEN due.until > $1 THEN due.until ELSE $1::timestamptz + interval '1 second' END
  FROM due WHERE x.id = due.id AND x.account_id = due.account_id AND due.before_id IS NOT NULL AND due.until IS NOT NULL AND (due.until > $1 OR due.crowded)
)
SELECT d.before_id, d.crowded AND (d.before_id IS NULL OR d.until IS NOT NULL),
  d.id, d.fence + 1, d.uuid, d.kind, d.event, d.record_id, d.body, d.link, d.payload, d.tries, d.earlier_tries, extract(epoch FROM d.expires_at),
  d.webhook_id, d.account_id, w.name, w.uri, w.openid_connect_discovery,
  p.name, p.jwt_alg, p.jwt_audience, p.jwt_claim_expires_in, p.sealed_key,
  e.account_id, e.record_type, e.record_id, e.payload, pe.id, pe.name, ${buildPartyColumns("t")}, ${buildPartyColumns("m")}
FROM due d JOIN webhooks w ON w.id = d.webhook_id LEFT JOIN webhook_policies p ON p.id = w.webhook_policy_id
LEFT JOIN events e ON e.id = d.event_id
LEFT JOIN people pe ON pe.id = e.person_id
LEFT JOIN teams t ON t.id = (e.payload ->> 'team_id')::integer LEFT JOIN accounts ta ON ta.id = t.account_id
LEFT JOIN people m ON m.id = (e.payload ->> 'member_id')::integer LEFT JOIN accounts ma ON ma.id = m.account_id
ORDER BY d.next_try_at, d.id`);

export async function claimDeliveries(
  database: Database,
  webhooks: readonly number[],
  now: Date,
  limit: number,
): Promise<ClaimResult> {
  const rows = await database.transaction((tx) => {
    tx.send(planForFewRows);
    return tx.query(claimDue, [now.toISOString(), webhooks, limit]);
  });
  const claimed: ClaimedDelivery[] = [];
  const [more, blocked] = [new Set<number>(), new Set<number>()];
  for (const row of rows) {
    const delivery = parseClaimedDelivery(row);
    if (row[1] === "t") more.add(delivery.webhook.id);
    if (row[0] === null) claimed.push(delivery);
    else blocked.add(delivery.webhook.id);
  }
  return { claimed, more: [...more], blocked: [...blocked] };
}

function parseClaimedDelivery(row: Row): ClaimedDelivery {
  const text = (at: number) => row[at] ?? null;
  const number = (at: number) => Number(row[at]);
  const json = (at: number) => (row[at] == null ? null : JSON.parse(row[at] as string));
  return {
    id: number(2),
    fence: number(3),
    uuid: row[4] as string,
    kind: row[5] as ClaimedDelivery["kind"],
    event: row[6] as string,
    recordId: text(7) === null ? null : number(7),
    body: text(8),
    link: text(9),
    payload: json(10),
    tries: number(11),
    earlierTries: number(12),
    expiresAt: text(13) === null ? null : new Date(number(13) * 1000),
    webhook: {
      id: number(14),
      account: row[15] as string,
      name: row[16] as string,
      uri: row[17] as string,
      discovery: row[18] === "t",
    },
    policy:
      text(19) === null
        ? null
        : {
            name: row[19] as string,
            alg: row[20] as string,
            audience: text(21),
            expiresIn: text(22) === null ? null : number(22),
            sealed: row[23] as string,
          },
    changeEvent:
      text(24) === null
        ? null
        : {
            account: row[24] as string,
            type: row[25] as string,
            id: number(26),
            facts: json(27) as EventFacts,
            person: text(28) === null ? null : { id: number(28), name: row[29] as string },
            team: parseParty(row, 30),
            member: parseParty(row, 36),
          },
  };
}

function parseParty(row: Row, at: number): Party | null {
  if (row[at] == null) return null;
  return {
    id: Number(row[at]),
    name: row[at + 1] as string,
    sourceID: row[at + 2] ?? null,
    disabled: row[at + 3] === "t",
    account: { id: row[at + 4] as string, name: row[at + 5] ?? "" },
  };
}
