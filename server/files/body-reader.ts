// Reads a body piece by piece up to a byte sequence. The caller pulls, so no state exists in which a body could be left
// half read.

import type { Readable } from "node:stream";
import { MalformedUpload } from "./errors.ts";

export class BodyReader {
  readonly #body: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  /** Reads `before` first, as if the body began with it. */
  constructor(body: Readable, before: string) {
    this.#body = body;
    this.#chunks = body.iterator({ destroyOnReturn: false });
    this.#held = Buffer.from(before);
  }

  /** Returns what precedes the mark and skips the mark; at most `limit` bytes, or an error. */
  async readUntil(mark: Buffer, limit: number, complaint: string): Promise<Buffer> {
    let from = 0;
    for (;;) {
      const found = this.#held.indexOf(mark, from);
      if (found > limit || (found === -1 && this.#held.length > limit + mark.length))
        throw new MalformedUpload(complaint);
      if (found !== -1) return this.#take(found, mark.length);
      from = Math.max(0, this.#held.length - mark.length + 1);
      await this.#more();
    }
  }

  /** The same without a limit, as a stream. */
  async *readChunksUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const found = this.#held.indexOf(mark);
      // The last bytes could be the beginning of the mark.
      const sure = found === -1 ? this.#held.length - mark.length + 1 : found;
      if (sure > 0) yield this.#take(sure, 0);
      if (found !== -1) {
        this.#take(0, mark.length);
        return;
      }
      await this.#more();
    }
  }

  async peek(length: number): Promise<string> {
    while (this.#held.length < length) await this.#more();
    return this.#held.toString("latin1", 0, length);
  }

  /** Discards the rest: a client that is still sending would not read the response. */
  async release(): Promise<void> {
    await this.#chunks.return?.().catch(() => {});
    this.#body.on("error", () => {});
    this.#body.resume();
  }

  #take(length: number, andPass: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length + andPass);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next().catch(() => {
      throw new MalformedUpload("The upload was cut off.");
    });
    if (done) throw new MalformedUpload("The multipart body is incomplete or malformed.");
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, value]) : value;
  }
}
