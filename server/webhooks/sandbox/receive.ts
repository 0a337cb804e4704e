import { setTimeout as wait } from "node:timers/promises";
import { cutToStorable } from "../../base/storable-text.ts";
import { statement } from "../../database/database.ts";
import type { PreparedDelivery } from "../prepare.ts";
import type { CallResult } from "../send.ts";
import { buildHeaders } from "../send.ts";
import type { Webhooks } from "../webhooks-context.ts";
import { findSandbox, maxMessages, parseSandboxKey, type Sandbox } from "./sandboxes.ts";

// Receives the messages of a sandbox. Webhooks of the same account get there without a call over the network, so that no private
// address has to be allowed for it.

const maxBody = 65_536; // characters
const maxHeaders = 60;
const maxHeaderLength = 1000;

export type SandboxInput = {
  method: string;
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
};

// The newest messages stay.
const insert = statement(
  `WITH added AS (
  INSERT INTO sandbox_messages (account_id, sandbox_id, received_at, method, query, headers, body, size, answered_status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id
), removed AS (
  DELETE FROM sandbox_messages WHERE sandbox_id = $2 AND id <= (
    SELECT id FROM sandbox_messages WHERE sandbox_id = $2 ORDER BY id DESC OFFSET ${maxMessages - 1} LIMIT 1)
) SELECT id FROM added`,
);
const markAnswered = statement("UPDATE sandbox_messages SET answered_at = $2 WHERE id = $1");

/** Stores a message and waits as long as the sandbox is configured to. */
export async function receiveMessage(
  { engine }: Pick<Webhooks, "engine">,
  sandbox: Sandbox,
  { method, query, headers, body }: SandboxInput,
  cancel?: AbortSignal,
): Promise<void> {
  const { database, clock } = engine;
  const stored = Object.entries(headers)
    .slice(0, maxHeaders)
    .map(([name, value]) => [name, cutToStorable(String(value), maxHeaderLength)]);
  const [row] = await database.change(insert, [
    ...[sandbox.account, sandbox.id, clock.now().toISOString(), method, cutToStorable(query, 2000)],
    ...[JSON.stringify(Object.fromEntries(stored)), cutToStorable(body, maxBody), Buffer.byteLength(body)],
    sandbox.status,
  ]);
  if (sandbox.delay > 0) await wait(sandbox.delay, undefined, cancel === undefined ? {} : { signal: cancel });
  await database.change(markAnswered, [row?.[0] as string, clock.now().toISOString()]);
}

const timeLimit = 10_000;

/** Delivers to a sandbox of the same account; null: the address is none. */
export async function deliverToSandbox(
  webhooks: Webhooks,
  prepared: PreparedDelivery,
  { agent, now, cancel }: { agent: string; now: Date; cancel: AbortSignal },
): Promise<CallResult | null> {
  const key = parseSandboxKey(prepared.uri);
  if (key === null || prepared.problem !== null || !URL.canParse(prepared.uri)) return null;
  const sandbox = await findSandbox(webhooks.engine.database, key, now);
  if (sandbox === null || sandbox.account !== prepared.webhook.account) return null;
  const startTime = performance.now();
  const isLate = sandbox.delay >= timeLimit;
  const input = { method: "POST", query: "", headers: buildHeaders(new URL(prepared.uri), prepared, agent) };
  const waited = { ...sandbox, delay: Math.min(sandbox.delay, timeLimit) };
  await receiveMessage(webhooks, waited, { ...input, body: prepared.body }, cancel);
  const milliseconds = Math.round(performance.now() - startTime);
  const result = { startedAt: now, milliseconds, status: null, error: null, headers: null, body: null };
  if (isLate) return { ...result, error: `no response within ${timeLimit / 1000} seconds` };
  const { status } = sandbox;
  const answer = { "content-type": "text/plain; charset=utf-8" };
  const isSuccess = status >= 200 && status <= 299;
  return { ...result, status, headers: answer, body: "sandbox", error: isSuccess ? null : String(status) };
}
