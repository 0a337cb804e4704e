import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../base/clock.ts";
import { BadRequest, Conflict } from "../../base/errors.ts";
import { buildLockKey, tryAcquireLock } from "../../database/advisory-lock.ts";
import { type Database, type Row, statement, type Transaction } from "../../database/database.ts";
import { runJointly } from "../../database/joint-transaction.ts";
import type { ApiResponse } from "./route.ts";

// CV34 to CV36. A call with an Idempotency-Key commits its response together with its changes, and returns the same response
// to every retry, even if the first one was lost on its way back.

const keptHours = 24;
const maxKeyLength = 255;
const maxAnswerBytes = 262_144;
const replayedHeader = { "Idempotency-Replayed": "true" };

const findAnswer = statement(
  "SELECT request_hash, answer FROM idempotency_keys WHERE person_id = $1 AND account_id = $2 AND key_hash = $3 AND expires_at > $4",
);
const storeAnswer = statement(
  `INSERT INTO idempotency_keys (person_id, account_id, key_hash, request_hash, answer, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (person_id, account_id, key_hash) DO UPDATE SET request_hash = $4, answer = $5, expires_at = $6`,
);

type Context = { database: Database; clock: Clock; secret: string };
type Caller = { person: number; account: string };

/** Ends a call whose answer another one has committed in the meantime. */
class AnswerFound extends Error {
  readonly row: Row;
  constructor(row: Row) {
    super("the call was answered before");
    this.row = row;
  }
}

/** Null without the header, and for the methods that can be repeated anyway. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  if (request.method !== "POST" && request.method !== "PATCH") return null;
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || key.length > maxKeyLength || !/^[\x21-\x7e]+$/.test(key))
    throw new BadRequest(`The Idempotency-Key must have 1 to ${maxKeyLength} visible ASCII characters`);
  return key;
}

/** Runs the call, or repeats the answer to an earlier one with the same key. */
export async function answerOnce(
  context: Context,
  caller: Caller,
  request: FastifyRequest,
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const key = readIdempotencyKey(request);
  if (key === null) return call();
  const { database, clock, secret } = context;
  const requestHash = hashRequest(request);
  const keyHash = createHmac("sha256", secret).update(`idempotency key ${key}`).digest("base64url");
  const answerKey = createHmac("sha256", secret).update(`answer ${caller.person} ${caller.account} ${key}`).digest();
  const place = [caller.person, caller.account, keyHash] as const;
  const find = [...place, clock.now().toISOString()];
  const replay = (row: Row) => replayAnswer(row, requestHash, answerKey);
  const [stored] = await database.read(findAnswer, find);
  if (stored !== undefined) return replay(stored);
  try {
    return await runJointly(database, {
      async prepare(tx) {
        const [[isLocked] = []] = await tx.query(tryAcquireLock, [buildLockKey("idempotency", ...place)]);
        if (isLocked !== "t") throw new Conflict("A call with this Idempotency-Key is being carried out", 1);
        const [row] = await tx.query(findAnswer, find);
        if (row !== undefined) throw new AnswerFound(row);
      },
      work: call,
      finish(tx: Transaction, response) {
        if (response.status < 200 || response.status > 299) return;
        const expires = new Date(clock.now().getTime() + keptHours * 3_600_000).toISOString();
        tx.send(storeAnswer, [...place, requestHash, encryptAnswer(response, answerKey), expires]);
      },
    });
  } catch (error) {
    if (error instanceof AnswerFound) return replay(error.row);
    throw error;
  }
}

/**
 * Two calls are the same if method, address and body are. Clients choose a random boundary for each multipart body,
 * so only the length of such a body counts.
 */
function hashRequest(request: FastifyRequest): string {
  const hash = createHash("sha256").update(`${request.method} ${request.raw.url}\n`);
  if (Buffer.isBuffer(request.body)) hash.update(request.body);
  else if (request.body != null) hash.update(`multipart ${request.headers["content-length"] ?? ""}`);
  return hash.digest("base64url");
}

function replayAnswer([requestHash, answer]: Row, wanted: string, answerKey: Buffer): ApiResponse {
  if (requestHash !== wanted) throw new Conflict("This Idempotency-Key was used for another call");
  if (answer == null) throw new Conflict("This call has been carried out; its answer was too large to be kept");
  const { headers, ...response } = decryptAnswer(answer, answerKey);
  return { ...response, headers: { ...headers, ...replayedHeader } };
}

/** Answers may contain secrets, such as a new token, of which the database otherwise knows the hash only (D-194). */
function encryptAnswer({ status, json, headers }: ApiResponse, key: Buffer): string | null {
  const text = JSON.stringify({ status, json, headers });
  if (text.length > maxAnswerBytes || Buffer.byteLength(text) > maxAnswerBytes) return null;
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

function decryptAnswer(answer: string, key: Buffer): ApiResponse {
  const bytes = Buffer.from(answer, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(`${decipher.update(bytes.subarray(28), undefined, "utf8")}${decipher.final("utf8")}`);
}
