// Signed calls to an S3-compatible service, with time limits and repeats.

import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request } from "undici";
import type { S3Location } from "../../base/files-location.ts";
import { FileMissing, StorageAway } from "../errors.ts";

export type S3Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** without the prefix; null: the bucket */
  key: string | null;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** created for every attempt */
  body?: () => Readable | Buffer;
  size?: number;
  /** of the body, in hexadecimal digits; the service refuses a body with another checksum */
  sha256?: string;
};

export type S3Answer = Dispatcher.ResponseData;

const attempts = 4;
const firstPause = 100;
const connectTimeout = 3000;
/** a transfer without progress for this long is aborted */
const stallTimeout = 30_000;
const maxTextBytes = 4_194_304;
/** SHA-256 of nothing */
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export class S3Client {
  readonly location: S3Location;
  readonly #agent: Agent;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(location: S3Location) {
    this.location = location;
    this.#agent = new Agent({
      connect: { timeout: connectTimeout },
      headersTimeout: location.timeoutSeconds * 1000,
      bodyTimeout: stallTimeout,
      connections: 64,
    });
  }

  /** The caller reads or destroys the body. Throws FileMissing for 404, StorageAway for what may work later. */
  async send(call: S3Call): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(call);
      if (!(outcome instanceof TemporaryFailure)) return outcome;
      if (attempt === attempts) throw new StorageAway(outcome.message, { cause: outcome.cause });
      // Not all callers at the same moment: the service may be overloaded.
      await pause(firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  /** Calls, and reads an answer that is short. */
  async sendForText(call: S3Call): Promise<string> {
    const text = await readText((await this.send(call)).body);
    // A long operation begins its answer with 200 and may fail afterwards.
    if (/<Error>/.test(text)) throw new StorageAway(`the file storage failed: ${describeFailure(text)}`);
    return text;
  }

  /** An address that needs no further credentials for as many seconds. */
  async signAddress(key: string, seconds: number, query: Record<string, string>): Promise<string> {
    const url = this.#buildUrl(key, { ...query, "X-Amz-Expires": String(seconds) });
    const signer = new AwsV4Signer({ ...this.#signerOptions(), method: "GET", url: url.href, signQuery: true });
    const signed = (await signer.sign()).url;
    // In a query, some services take a plus sign for itself.
    return `${signed.origin}${signed.pathname}${signed.search.replaceAll("+", "%20")}`;
  }

  get bucketUrl(): string {
    return this.#buildUrl(null, {}).href;
  }

  async #try(call: S3Call): Promise<S3Answer | TemporaryFailure> {
    let answer: S3Answer;
    try {
      answer = await this.#sendOnce(call);
    } catch (error) {
      return new TemporaryFailure("the file storage does not answer", { cause: error });
    }
    const { statusCode: status } = answer;
    if (status < 300) return answer;
    const text = await readText(answer.body).catch(() => "");
    if (status === 404 && !/NoSuchBucket/.test(text)) throw new FileMissing();
    const message = `the file storage answers ${status}: ${describeFailure(text)}`;
    if (status >= 500 || status === 429 || status === 408) return new TemporaryFailure(message);
    // Wrong credentials, a missing bucket: no repeat helps, but an operator does.
    throw new StorageAway(message);
  }

  async #sendOnce({ method, key, query = {}, headers = {}, body, size, sha256 }: S3Call): Promise<S3Answer> {
    const signer = new AwsV4Signer({
      ...this.#signerOptions(),
      method,
      url: this.#buildUrl(key, query).href,
      headers: { ...headers, "x-amz-content-sha256": sha256 ?? emptyHash },
    });
    const signed = await signer.sign();
    return request(signed.url, {
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body === undefined ? {} : { "content-length": String(size) }),
      },
      body: body?.() ?? null,
      dispatcher: this.#agent,
    });
  }

  #signerOptions() {
    const { region, credentials } = this.location;
    return { ...credentials, service: "s3", region, cache: this.#signingKeys };
  }

  #buildUrl(key: string | null, query: Record<string, string>): URL {
    const { endpoint, bucket, prefix, isPathStyle } = this.location;
    const url = new URL(endpoint);
    if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
    const path = key === null ? "" : encodePath(`${prefix}${key}`);
    url.pathname = isPathStyle ? `/${bucket}${key === null ? "" : `/${path}`}` : `/${path}`;
    url.search = new URLSearchParams(query).toString();
    return url;
  }
}

/** As the signature demands it: everything but letters, digits and `-_.~` is encoded. */
export const encodePath = (path: string): string =>
  path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");

class TemporaryFailure extends Error {}

async function readText(body: S3Answer["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxTextBytes) throw new StorageAway("the file storage answers too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** `NoSuchBucket (The specified bucket does not exist)` of an XML answer. */
function describeFailure(text: string): string {
  const read = (tag: string) => new RegExp(`<${tag}>([^<]{1,200})</${tag}>`).exec(text)?.[1];
  return `${read("Code") ?? "no reason"}${read("Message") === undefined ? "" : ` (${read("Message")})`}`;
}
