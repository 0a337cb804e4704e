import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

// Responses that are the same for all callers: built, hashed and compressed once, then sent from the same bytes.

type Coding = "br" | "gzip";
const codings: readonly Coding[] = ["br", "gzip"];

/** Smaller contents fit into one packet anyway. */
const worthCompressing = 1400;
const brotliQuality = 5;
const chunkSize = 65_536;

const compressWithBrotli = promisify(brotliCompress);
const compressWithGzip = promisify(gzip);

export class StaticContent {
  readonly type: string;
  readonly bytes: Buffer;
  /** the hash of the bytes, the value of the ETag */
  readonly tag: string;
  private readonly compressed: Map<Coding, Promise<Buffer>>;

  constructor(type: string, content: Buffer | string, compressed: Iterable<[Coding, Buffer]> = []) {
    this.type = type;
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.tag = hash("md5", this.bytes, "hex");
    this.compressed = new Map([...compressed].map(([coding, bytes]) => [coding, Promise.resolve(bytes)]));
  }

  /** Compressed on first use, in a thread of the pool. */
  encode(coding: Coding): Promise<Buffer> {
    let bytes = this.compressed.get(coding);
    if (bytes === undefined) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
      bytes = coding === "br" ? compressWithBrotli(this.bytes, { params }) : compressWithGzip(this.bytes);
      this.compressed.set(coding, bytes);
    }
    return bytes;
  }
}

/** Sets ETag, Vary and Content-Type; the caller has set all other headers. Answers 304 to a client that has the content. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  content: StaticContent,
): Promise<FastifyReply> {
  reply.header("ETag", `W/"${content.tag}"`).header("Vary", "Accept-Encoding");
  if (matchesEtag(request, content.tag)) return reply.code(304).send();
  reply.type(content.type);
  const coding = pickCoding(request, content);
  if (coding === null) return sendBytes(reply, content.bytes);
  return sendBytes(reply.header("Content-Encoding", coding), await content.encode(coding));
}

function pickCoding(request: FastifyRequest, { bytes }: StaticContent): Coding | null {
  const accepted = request.headers["accept-encoding"];
  if (accepted === undefined || bytes.length < worthCompressing) return null;
  return codings.find((coding) => acceptsCoding(accepted, coding)) ?? null;
}

const patterns = Object.fromEntries(
  codings.map((coding) => [coding, new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`)]),
) as Record<Coding, RegExp>;

const acceptsCoding = (accepted: string, coding: Coding): boolean => patterns[coding].test(accepted);

/** In pieces, each after the client took the one before: an encrypted connection copies what it cannot send yet. */
export function sendBytes(reply: FastifyReply, bytes: Buffer): FastifyReply {
  if (bytes.length <= chunkSize) return reply.send(bytes);
  return reply.header("Content-Length", bytes.length).send(Readable.from(split(bytes), { objectMode: false }));
}

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

export function matchesEtag(request: FastifyRequest, tag: string): boolean {
  const clientTags = (request.headers.etag as string | undefined) ?? request.headers["if-none-match"];
  if (clientTags === undefined) return false;
  return clientTags.split(",").some((part) => part.trim().replace(/^W\//i, "").replaceAll('"', "") === tag);
}
