import { createHash, type Hash } from "node:crypto";
import { Readable } from "node:stream";
import { FileDamaged, FileMissing, StorageAway } from "../errors.ts";
import { checksumHeader } from "./put-file.ts";
import type { S3Answer, S3Client } from "./s3-client.ts";

const maxResumes = 5;

/** A transfer that breaks off is resumed where it was. The last bytes are held back until the checksum is right. */
export async function readObject(
  client: S3Client,
  key: string,
  start: number,
): Promise<{ stream: Readable; size: number }> {
  const transfer = new Transfer(client, key, start);
  const size = await transfer.open();
  const stream = Readable.from(transfer.read(), { objectMode: false });
  stream.on("close", () => transfer.close());
  return { stream, size };
}

class Transfer {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #hash: Hash | null;
  #position: number;
  #end = 0;
  #answer: S3Answer | null = null;
  #tag: string | undefined;
  #checksum: string | undefined;

  constructor(client: S3Client, key: string, start: number) {
    this.#client = client;
    this.#key = key;
    this.#position = start;
    this.#hash = start === 0 ? createHash("sha256") : null;
  }

  /** Returns the size of the whole file. */
  async open(): Promise<number> {
    this.#answer = await this.#request();
    const { headers } = this.#answer;
    this.#tag = headers.etag as string | undefined;
    this.#checksum = headers[checksumHeader] as string | undefined;
    const whole = /\/(\d+)$/.exec(String(headers["content-range"] ?? ""))?.[1] ?? headers["content-length"];
    this.#end = Number(whole);
    return this.#end;
  }

  async *read(): AsyncGenerator<Buffer> {
    let held: Buffer | null = null;
    for await (const chunk of this.#chunks()) {
      this.#hash?.update(chunk);
      if (held !== null) yield held;
      held = chunk;
    }
    if (this.#hash !== null && this.#checksum !== undefined && this.#hash.digest("hex") !== this.#checksum)
      throw new FileDamaged(this.#key);
    if (held !== null) yield held;
  }

  close(): void {
    this.#answer?.body.on("error", () => {}).destroy();
    this.#answer = null;
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (let resumes = 0; ; resumes++) {
      let failure: unknown = null;
      try {
        for await (const chunk of (this.#answer?.body ?? []) as AsyncIterable<Buffer>) {
          this.#position += chunk.length;
          yield chunk;
        }
      } catch (error) {
        failure = error;
      }
      if (this.#position >= this.#end) return;
      if (resumes === maxResumes) throw new StorageAway("the file storage broke off", { cause: failure });
      this.close();
      this.#answer = await this.#request();
    }
  }

  #request(): Promise<S3Answer> {
    const headers = {
      ...(this.#position === 0 ? {} : { range: `bytes=${this.#position}-` }),
      // The rest of another version would not fit.
      ...(this.#tag === undefined ? {} : { "if-match": this.#tag }),
    };
    return this.#client.send({ method: "GET", key: this.#key, headers });
  }
}

export async function loadObjectSize(client: S3Client, key: string): Promise<number | null> {
  try {
    const { headers, body } = await client.send({ method: "HEAD", key });
    await body.dump();
    return Number(headers["content-length"]);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
