import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EntranceConfig } from "../api/http/admission/http-admission.ts";
import { toErrorResponse } from "../api/http/errors.ts";
import { dispatchRead } from "../api/http/internal-dispatch.ts";
import { BadRequest, ResponseTooLarge } from "../base/errors.ts";
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
    let room = maxResponseBytes;
    const reserve = (bytes: number) => {
      if (bytes > room)
        throw new ResponseTooLarge("The combined response would be larger than 8 MB: read this path by itself");
      room -= bytes;
      pages.reserveMemory(request, bytes);
    };
    const parts = await Promise.all(paths.map((path) => readPart({ app, request, reserve }, path)));
    const pieces = parts.flatMap((part, index) => [Buffer.from(index === 0 ? "[" : ","), ...part]);
    pieces.push(Buffer.from("]"));
    reply.header(
      "Content-Length",
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
    // In pieces: joined, everything would be in memory once more.
    return reply.type("application/json; charset=utf-8").send(Readable.from(pieces, { objectMode: false }));
  });
}

async function readPart({ app, request, reserve }: Call, path: string): Promise<Buffer[]> {
  const { status, headers, body } = await dispatchRead(app, request.raw, path);
  const isJson = String(headers["content-type"] ?? "").startsWith("application/json");
  if (!isJson) body.destroy();
  try {
    const content = isJson ? await readContent(body, headers, reserve) : [Buffer.from("null")];
    return writePart(status, headers, content);
  } catch (error) {
    body.destroy();
    const refusal = toErrorResponse(error, "en-US", "");
    if (refusal === null) throw error;
    // 413: the same path may be read alone.
    const refusedStatus = error instanceof ResponseTooLarge ? 413 : refusal.status;
    const retryAfter = refusal.retryAfter === undefined ? {} : { "retry-after": String(refusal.retryAfter) };
    return writePart(refusedStatus, retryAfter, [Buffer.from(JSON.stringify(refusal.body))]);
  }
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
