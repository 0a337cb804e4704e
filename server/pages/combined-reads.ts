import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { dispatchRead } from "../api/http/connections/internal-dispatch.ts";
import { toErrorResponse } from "../api/http/errors.ts";
import { BadRequest, ClientGone, ResponseTooLarge, TooManyRequests } from "../base/errors.ts";
import { parseJsonBody } from "./form-body.ts";
import { requireSignedIn } from "./session-routes.ts";
import { type PagesContext, requireCsrfToken } from "./visit.ts";

// Several reads of the REST API in one call. A page that opens needs a dozen of them, and a browser has six connections. Each
// read is a call of its own to everything behind: access, rate limits, log.

const maxPaths = 30;
const maxPathLength = 4000;
/** As much as the longest paths take. */
const bodyLimit = 131_072;
/** Of all parts together. A page needs a hundredth of it. */
const maxResponseBytes = 8 * 1_048_576;
const isPath = (path: unknown): path is string =>
  typeof path === "string" && path.length < maxPathLength && /^\/v1\/[a-z]/.test(path) && !path.includes("..");

/** Whole documents, which no page reads. */
const isDocument = (path: string): boolean => /^\/v1\/openapi(\.json)?\b/.test(path);

/** The cost of each path against the person's allowance. */
const costOfPath = 0.2;
const maxParallel = 6;
const maxCallsPerPerson = 12;

/** Headers that say something about the answer. */
const answeredHeaders = ["x-revision", "link", "retry-after", "x-request-id"];

// It makes the calls and is none itself: as one it would wait for places that it takes.
const config: EntranceConfig = { isUncounted: true };

/** `reserve` throws when the bytes are too many. */
type Call = { app: FastifyInstance; request: FastifyRequest; reserve(bytes: number): void };

export function registerCombinedReads(pages: PagesContext, app: FastifyInstance): void {
  app.post("/session-api/reads", { config, bodyLimit }, async (request, reply) => {
    const visit = await requireSignedIn(pages, request, reply);
    requireCsrfToken(visit, request.headers["x-csrf-token"] as string | undefined);
    const { paths } = parseJsonBody(request);
    if (!Array.isArray(paths) || paths.length === 0 || paths.length > maxPaths || !paths.every(isPath))
      throw new BadRequest(`'paths' must be a list of 1 to ${maxPaths} paths of the REST API`);
    const person = visit.session.person.id;
    pages.charge(person, paths.length * costOfPath);
    let room = maxResponseBytes;
    const reserve = (bytes: number) => {
      // Once it is full no further path is read: what would be refused need not be made.
      if (bytes > room) room = 0;
      if (room === 0)
        throw new ResponseTooLarge("The combined response would be larger than 8 MB: read this path by itself");
      room -= bytes;
      pages.reserveMemory(request, bytes);
    };
    const parts = await inProgress.use(person, () => readParts({ app, request, reserve }, paths));
    if (request.raw.socket.destroyed) throw new ClientGone();
    const pieces = parts.flatMap((part, index) => [Buffer.from(index === 0 ? "[" : ","), ...part]);
    pieces.push(Buffer.from("]"));
    reply.header(
      "Content-Length",
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
    // In pieces: joined, everything would be in memory twice.
    return reply.type("application/json; charset=utf-8").send(Readable.from(pieces, { objectMode: false }));
  });
}

/** How many combined reads each person has in progress. */
class ReadsInProgress {
  private readonly counts = new Map<number, number>();

  async use<T>(person: number, read: () => Promise<T>): Promise<T> {
    const count = this.counts.get(person) ?? 0;
    if (count >= maxCallsPerPerson) throw new TooManyRequests(1);
    this.counts.set(person, count + 1);
    try {
      return await read();
    } finally {
      const left = (this.counts.get(person) ?? 1) - 1;
      if (left === 0) this.counts.delete(person);
      else this.counts.set(person, left);
    }
  }
}
const inProgress = new ReadsInProgress();

/** As many at a time as a browser would have connections. */
async function readParts(call: Call, paths: readonly string[]): Promise<Buffer[][]> {
  const parts: Buffer[][] = new Array(paths.length);
  let next = 0;
  const readOn = async () => {
    while (next < paths.length) {
      const at = next++;
      parts[at] = await readPart(call, paths[at] as string);
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, readOn));
  return parts;
}

async function readPart({ app, request, reserve }: Call, path: string): Promise<Buffer[]> {
  if (isDocument(path)) return refusePart(new ResponseTooLarge("This document is too large: read its path by itself"));
  try {
    reserve(0);
  } catch (error) {
    return refusePart(error);
  }
  const { status, headers, body } = await dispatchRead(app, request.raw, path);
  const isJson = String(headers["content-type"] ?? "").startsWith("application/json");
  if (!isJson) body.destroy();
  try {
    const content = isJson ? await readContent(body, headers, reserve) : [Buffer.from("null")];
    return writePart(status, headers, content);
  } catch (error) {
    body.destroy();
    if (request.raw.socket.destroyed) throw new ClientGone();
    return refusePart(error);
  }
}

function refusePart(error: unknown): Buffer[] {
  const refusal = toErrorResponse(error, "en-US", "");
  if (refusal === null) throw error;
  // 413: the same path may be read alone.
  const status = error instanceof ResponseTooLarge ? 413 : refusal.status;
  const retryAfter = refusal.retryAfter === undefined ? {} : { "retry-after": String(refusal.retryAfter) };
  return writePart(status, retryAfter, [Buffer.from(JSON.stringify(refusal.body))]);
}

/** The memory is reserved before the body is read where its length is known, as it is for all but streams. */
async function readContent(body: Readable, headers: IncomingHttpHeaders, reserve: Call["reserve"]): Promise<Buffer[]> {
  const length = headers["content-length"];
  if (length !== undefined) reserve(Number(length));
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (length === undefined) reserve(chunk.length);
    chunks.push(chunk);
  }
  return chunks.length === 0 ? [Buffer.from("null")] : chunks;
}

function writePart(status: number, headers: IncomingHttpHeaders, content: readonly Buffer[]): Buffer[] {
  const told = Object.entries(headers).filter(
    ([name]) => answeredHeaders.includes(name) || name.startsWith("x-pagination-"),
  );
  const head = `{"status":${status},"headers":${JSON.stringify(Object.fromEntries(told))},"body":`;
  return [Buffer.from(head), ...content, Buffer.from("}")];
}
