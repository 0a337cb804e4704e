import { createHash } from "node:crypto";
import { statement, type Value } from "../../server/database/database.ts";
import { jsonStatement, queryRows } from "../../server/database/rows.ts";
import {
  buildLinkHeader,
  buildMessage,
  buildPayload,
  type EventFacts,
  type Party,
} from "../../server/webhooks/message.ts";
import { maxTries, pauses } from "../../server/webhooks/retry-schedule.ts";
import { SeededRandom } from "../loader/seeded-random.ts";
import type { Timeline } from "./timeline.ts";

// The warehouse gets requests by webhooks. A sandbox of the service plays its part, so that no message leaves the machine.
// The webhooks become active when the work is done: messages of the past are history, not calls that are made now.

const account = "quillhaven-it";
const receiver = "https://warehouse.quillhaven.example";
const instance = "https://steward.quillhaven.example";
const sandboxKey = createHash("md5").update("the warehouse of the demo company").digest("hex");

const events = [
  "request.create",
  "request.status-changed",
  "request.note-added",
  "request.team-changed",
  "request.member-changed",
];

const day = 86_400_000;
const historyDays = 8;
/** The warehouse was down so long ago that the service has made its last try for the messages of that time. */
const outage = { before: 100 * 3_600_000, count: 4 };
/** Of so many messages, one is answered only at a later try. */
const oneRetriedOf = 23;
/** Among the newest, but for these, some are still being retried, and not for some minutes. */
const retrying = { skipped: 5, count: 2, pause: 300_000 };

const insertSandbox = statement(
  "INSERT INTO webhook_sandboxes (account_id, key, person_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
);
// The sandbox belongs to the account, so its address needs no verification.
const markVerified = statement(
  "UPDATE webhooks SET verified = true, verification_hash = NULL, verification_expires_at = NULL WHERE id = ANY($1::integer[])",
);
const removeVerifications = statement(
  "DELETE FROM webhook_deliveries WHERE webhook_id = ANY($1::integer[]) AND kind = 'verify'",
);
const selectDomain = statement("SELECT value FROM instance_facts WHERE name = 'domain'");

type PastEvent = {
  id: number;
  event: string;
  record_id: number;
  at: string;
  payload: EventFacts;
  person: { id: number; name: string } | null;
  team: Party | null;
  member: Party | null;
};
const buildParty = (alias: string) =>
  `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'sourceID', ${alias}."sourceID", 'disabled', ${alias}.disabled,
  'account', json_build_object('id', ${alias}a.id, 'name', ${alias}a.name)) END`;
const selectEvents = jsonStatement<PastEvent>(
  `SELECT e.id, e.event, e.record_id, e.created_at AS at, e.payload,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.name) END AS person, ${buildParty("t")} AS team, ${buildParty("m")} AS member
FROM events e LEFT JOIN people p ON p.id = e.person_id
LEFT JOIN teams t ON t.id = (e.payload ->> 'team_id')::integer LEFT JOIN accounts ta ON ta.id = t.account_id
LEFT JOIN people m ON m.id = (e.payload ->> 'member_id')::integer LEFT JOIN accounts ma ON ma.id = m.account_id
WHERE e.account_id = $1 AND e.event = ANY($2::text[]) AND e.created_at > $3 ORDER BY e.created_at, e.id`,
);

const insertDeliveries = statement(
  `INSERT INTO webhook_deliveries (account_id, webhook_id, kind, uuid, event, event_id, record_id, state, body, link, tries, next_try_at, reason, created_at, finished_at)
SELECT $1, g.webhook, 'event', g.uuid, g.event, g.event_id, g.record, g.state, g.body, g.link, g.tries, g.next, g.reason, g.created, g.finished
FROM json_to_recordset($2::json) AS g (webhook integer, uuid uuid, event text, event_id integer, record integer, state text, body text, link text, tries integer,
  next timestamptz, reason text, created timestamptz, finished timestamptz) RETURNING id`,
);
const insertAttempts = statement(
  `INSERT INTO webhook_attempts (account_id, delivery_id, number, started_at, milliseconds, status, error, headers, body, next_try_at)
SELECT $1, g.delivery, g.number, g.started, g.milliseconds, g.status, g.error, g.headers, g.body, g.next
FROM json_to_recordset($2::json) AS g (delivery bigint, number integer, started timestamptz, milliseconds integer, status integer, error text, headers jsonb, body text, next timestamptz)`,
);

type Attempt = {
  number: number;
  started: Date;
  milliseconds: number;
  status: number | null;
  error: string | null;
  headers: Record<string, string> | null;
  body: string | null;
  next: Date | null;
};

const json = { "content-type": "application/json" };
const answers = {
  ok: { status: 200, error: null, headers: json, body: '{"received":true}' },
  deadlock: { status: 500, error: "500", headers: json, body: '{"error":"deadlock detected, process 4711"}' },
  down: { status: 503, error: "503", headers: json, body: '{"error":"service unavailable: scheduled maintenance"}' },
  late: { status: null, error: "no response within 10 seconds", headers: null, body: null },
};
type Answer = keyof typeof answers;

/** The tries of a message, at the moments at which the service makes them. */
function listAttempts(created: Date, outcomes: readonly Answer[], random: SeededRandom): Attempt[] {
  let started = created;
  return outcomes.map((answer, at) => {
    const milliseconds =
      answer === "late" ? 10_000 : answer === "ok" ? random.between(64, 118) : random.between(200, 1300);
    const pause = answer === "ok" ? undefined : pauses[at];
    const next = pause === undefined ? null : new Date(started.getTime() + milliseconds + pause * 1000);
    const attempt = { number: at + 1, started, milliseconds, ...answers[answer], next };
    started = next ?? started;
    return attempt;
  });
}

/** How many tries have failed by now, when each one does, and when the next one is due. */
function countFailedTries(created: Date, now: Date): { count: number; next: Date } {
  let next = created.getTime();
  const count = pauses.findIndex((pause) => {
    next += pause * 1000;
    return next > now.getTime();
  });
  return { count: count + 1, next: new Date(next) };
}

/** "request status changed" */
const describeEvent = (event: string): string =>
  event
    .replace(/[.-]/g, " ")
    .replace(/ create$/, " created")
    .replace(" member ", " assignee ");

type PlannedWebhook = { id: number; name: string; account: string };

/** Plans the webhooks of the warehouse; the function that it returns writes their history, when the work is done. */
export function planWarehouseWebhooks(time: Timeline): () => Promise<void> {
  const created = new Date(time.now.getTime() - 41 * day);
  const webhooks = new Map<string, PlannedWebhook>();
  const description =
    "Sends request events to the warehouse system. In the demo, a sandbox on this machine responds instead.";
  const create = async () => {
    // A sandbox of people ends after a day; this one is there as long as the company.
    const until = new Date(time.now.getTime() + 3650 * day).toISOString();
    const ines = time.getId("person", "ines");
    time.loader.tx.send(insertSandbox, [account, sandboxKey, ines, created.toISOString(), until]);
    for (const event of events) {
      const name = `Warehouse: ${describeEvent(event)}`;
      const fields = { name, event, uri: `${receiver}/sandbox/${sandboxKey}`, description };
      const id = await time.create({ who: "ines", at: created, account }, "webhook", fields);
      webhooks.set(event, { id, name, account });
    }
  };
  time.plan(created, "webhooks of the warehouse", create, "webhooks of the warehouse");
  return async () => {
    if (webhooks.size > 0) await writeHistory(time, webhooks); // they are not planned where the work ends earlier
  };
}

async function writeHistory(time: Timeline, webhooks: ReadonlyMap<string, PlannedWebhook>): Promise<void> {
  const { loader, now } = time;
  const { tx, engine } = loader;
  const ids = [[...webhooks.values()].map(({ id }) => id)];
  tx.send(markVerified, ids);
  tx.send(removeVerifications, ids);
  const [domain] = await tx.query(selectDomain);
  const context = {
    ...{ domain: String(domain?.[0]), origin: instance, types: engine.types },
    getAccountUrl: () => `${instance}/a/${account}`,
  };
  const since = new Date(now.getTime() - historyDays * day).toISOString();
  const past = await queryRows(tx, selectEvents, [account, events, since]);
  const random = new SeededRandom(1921);
  const retried = new Set(
    past
      .map(({ id, at }) => ({ id, failed: countFailedTries(new Date(at), now) }))
      .slice(0, -retrying.skipped)
      .filter(({ failed }) => failed.count > 1 && failed.next.getTime() > now.getTime() + retrying.pause)
      .slice(-retrying.count)
      .map(({ id }) => id),
  );
  const lastDown = past.findLastIndex(({ at }) => now.getTime() - Date.parse(at) > outage.before);
  const deliveries = past.map((event, at) => {
    const webhook = webhooks.get(event.event) as PlannedWebhook;
    const moment = new Date(event.at);
    const isDown = at <= lastDown && at > lastDown - outage.count;
    const failing = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);
    const outcomes: readonly Answer[] = isDown
      ? failing(maxTries, "down")
      : retried.has(event.id)
        ? failing(countFailedTries(moment, now).count, at % 2 === 0 ? "deadlock" : "late")
        : at % oneRetriedOf === oneRetriedOf - 1 && now.getTime() - moment.getTime() > 600_000
          ? [...failing(1 + (at % 3), "deadlock"), "ok"]
          : ["ok"];
    const attempts = listAttempts(moment, outcomes, random);
    const last = attempts.at(-1) as Attempt;
    const ended = new Date(last.started.getTime() + last.milliseconds);
    const state = last.error === null ? "delivered" : isDown ? "failed" : "waiting";
    const { note_id: note } = event.payload;
    const input = {
      ...{ webhook, event: event.event, object: { type: "request", id: event.record_id }, person: event.person },
      payload: buildPayload(context.domain, event.event, event.payload, event),
      ...(note === undefined ? {} : { note }),
    };
    const delivery = {
      ...{ webhook: webhook.id, event: event.event, event_id: event.id, record: event.record_id, state },
      uuid: createHash("md5").update(`delivery of event ${event.id}`).digest("hex"),
      body: JSON.stringify(buildMessage(context, input)),
      link: buildLinkHeader(context, input),
      tries: attempts.length,
      next: last.next ?? moment,
      reason: state === "failed" ? `${maxTries} tries failed` : null,
      created: moment,
      finished: state === "waiting" ? null : ended,
    };
    return { delivery, attempts };
  });
  const store = (list: readonly unknown[]): Value[] => [account, JSON.stringify(list)];
  const stored = await tx.query(insertDeliveries, store(deliveries.map(({ delivery }) => delivery)));
  const attempts = deliveries.flatMap(({ attempts: tries }, at) =>
    tries.map((attempt) => ({ delivery: Number(stored[at]?.[0]), ...attempt })),
  );
  tx.send(insertAttempts, store(attempts));
}
