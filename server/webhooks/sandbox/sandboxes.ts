import { randomBytes } from "node:crypto";
import { Invalid, NotFound } from "../../base/errors.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { parseText } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Webhooks } from "../webhooks-context.ts";

// Receivers for trying webhooks: an address of the service that stores messages and responds as configured. D-477

const lifetime = 24 * 3_600_000;
const maxSandboxes = 10;
/** Longer than the service waits for an answer, so that a time-out can be tried. */
const maxDelay = 15_000;
export const maxMessages = 200;

const keyPattern = /\/sandbox\/([a-z0-9]{32})$/;
/** The key of a sandbox in an address; whether there is such a sandbox, the database says. */
export const parseSandboxKey = (uri: string): string | null => keyPattern.exec(uri)?.[1] ?? null;

export type Sandbox = { id: number; account: string; key: string; status: number; delay: number };

const selectByKey = statement(
  "SELECT id, account_id, key, status, delay FROM webhook_sandboxes WHERE key = $1 AND expires_at > $2",
);

export async function findSandbox(database: Database, key: string, now: Date): Promise<Sandbox | null> {
  const [row] = await database.read(selectByKey, [key, now.toISOString()]);
  if (row === undefined) return null;
  const [id, account, , status, delay] = row as [string, string, string, string, string];
  return { id: Number(id), account, key, status: Number(status), delay: Number(delay) };
}

const selectOfAccount = statement(
  "SELECT 1 FROM webhook_sandboxes WHERE key = $1 AND account_id = $2 AND expires_at > $3",
);

/** Whether the address is a sandbox of the account itself: messages to it never leave the process. */
export async function isOwnSandbox(tx: Transaction, account: string, uri: string, now: Date): Promise<boolean> {
  const key = parseSandboxKey(uri);
  return key !== null && (await tx.query(selectOfAccount, [key, account, now.toISOString()])).length > 0;
}

const columns = `json_build_object('key', key, 'uri', $2 || '/sandbox/' || key, 'status', status, 'delay', delay,
  'created_at', date_trunc('second', created_at), 'expires_at', date_trunc('second', expires_at))`;
const selectAll = statement(
  `SELECT ${columns} FROM webhook_sandboxes WHERE account_id = $1 AND expires_at > $3 ORDER BY id DESC`,
);
const countAll = statement("SELECT count(*) FROM webhook_sandboxes WHERE account_id = $1 AND expires_at > $2");
const insert = statement(
  `INSERT INTO webhook_sandboxes (account_id, key, person_id, created_at, expires_at) VALUES ($1, $3, $4, $5, $6) RETURNING ${columns}`,
);
const update = statement(
  `UPDATE webhook_sandboxes SET status = coalesce($4, status), delay = coalesce($5, delay) WHERE account_id = $1 AND key = $3 AND expires_at > $6 RETURNING ${columns}`,
);
const remove = statement("DELETE FROM webhook_sandboxes WHERE account_id = $1 AND key = $2 RETURNING id");

export async function listSandboxes({ engine, origin }: Webhooks, by: Caller): Promise<string> {
  const rows = await engine.database.read(selectAll, [by.account, origin(), by.now.toISOString()], by.zone);
  return `[${rows.map(([json]) => json).join(",")}]`;
}

export async function createSandbox({ engine, origin }: Webhooks, by: Caller): Promise<string> {
  return engine.database.transaction(async (tx) => {
    await tx.query(acquireLock, [buildLockKey("sandboxes", by.account)]);
    const [count] = await tx.query(countAll, [by.account, by.now.toISOString()]);
    if (Number(count?.[0]) >= maxSandboxes)
      throw new Invalid([["base", `an account can have ${maxSandboxes} sandboxes at a time`]]);
    const key = randomBytes(16).toString("hex");
    const until = new Date(by.now.getTime() + lifetime).toISOString();
    const [row] = await tx.query(insert, [by.account, origin(), key, by.person, by.now.toISOString(), until]);
    return parseText(row?.[0]);
  }, by.zone);
}

export async function updateSandbox(
  { engine, origin }: Webhooks,
  by: Caller,
  key: string,
  members: Readonly<Record<string, unknown>>,
): Promise<string> {
  const parse = (name: string, least: number, most: number): number | null => {
    const value = members[name];
    if (value === undefined) return null;
    const number = Number(value);
    const isText = typeof value === "number" || typeof value === "string";
    if (!isText || !Number.isInteger(number) || number < least || number > most)
      throw new Invalid([[name, `must be between ${least} and ${most}`]]);
    return number;
  };
  const [status, delay] = [parse("status", 200, 599), parse("delay", 0, maxDelay)];
  return engine.database.transaction(async (tx) => {
    const values = [by.account, origin(), key, status, delay, by.now.toISOString()];
    const [row] = await tx.query(update, values);
    if (row === undefined) throw new NotFound();
    return parseText(row[0]);
  }, by.zone);
}

export async function deleteSandbox({ engine }: Webhooks, by: Caller, key: string): Promise<void> {
  const rows = await engine.database.transaction((tx) => tx.query(remove, [by.account, key]));
  if (rows.length === 0) throw new NotFound();
}

const selectMessages = statement(
  `SELECT m.id, json_build_object('id', m.id, 'received_at', date_trunc('second', m.received_at), 'method', m.method, 'query', m.query, 'headers', m.headers,
  'body', m.body, 'size', m.size, 'answered_status', m.answered_status, 'answered_at', date_trunc('second', m.answered_at))
FROM webhook_sandboxes s JOIN sandbox_messages m ON m.sandbox_id = s.id
WHERE s.account_id = $1 AND s.key = $2 AND m.id > $3 ORDER BY m.id DESC LIMIT ${maxMessages}`,
);

/** The received messages, newest first; `after`: only messages with a larger id. */
export async function listMessages({ engine }: Webhooks, by: Caller, key: string, after: number): Promise<string> {
  const sandbox = await findSandbox(engine.database, key, by.now);
  if (sandbox === null || sandbox.account !== by.account) throw new NotFound();
  const rows = await engine.database.read(selectMessages, [by.account, key, after], by.zone);
  return `[${rows.map(([, json]) => json).join(",")}]`;
}

const deleteExpired = statement("DELETE FROM webhook_sandboxes WHERE expires_at < $1");
export const removeExpiredSandboxes = async (database: Database, now: Date): Promise<void> =>
  void (await database.change(deleteExpired, [now.toISOString()]));
