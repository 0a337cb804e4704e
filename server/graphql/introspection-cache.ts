import { hash } from "node:crypto";

// Answers to documents that read nothing but the description of the schema. They depend on the document, its variables and
// the version of the program alone, and clients of one kind send the same document: each is run once. They are kept as
// bytes, which are sent in pieces to as many clients as want them (D-778).

const maxCachedBytes = 12 * 1_048_576;
/** Of one process: each takes a processor for some tenths of a second. */
const maxWaiting = 20;

export class IntrospectionCache {
  private readonly cached = new Map<string, Buffer>();
  private readonly running = new Map<string, Promise<Buffer>>();
  private last: Promise<unknown> = Promise.resolve();
  private bytes = 0;

  /** Null: too many others wait. One document runs at a time. */
  get(query: string, rest: object, run: () => Promise<Buffer>): Promise<Buffer> | null {
    const key = hash("sha256", `${query}\0${JSON.stringify(rest)}`, "base64");
    const known = this.cached.get(key);
    if (known !== undefined) {
      this.cached.delete(key);
      this.cached.set(key, known);
      return Promise.resolve(known);
    }
    const started = this.running.get(key);
    if (started !== undefined) return started;
    if (this.running.size >= maxWaiting) return null;
    const running = this.last.then(run).then((answer) => {
      this.keep(key, answer);
      return answer;
    });
    this.last = running.catch(() => {});
    this.running.set(key, running);
    void this.last.then(() => this.running.delete(key));
    return running;
  }

  private keep(key: string, answer: Buffer): void {
    this.cached.set(key, answer);
    this.bytes += answer.length;
    for (const [oldest, { length }] of this.cached) {
      if (this.bytes <= maxCachedBytes) break;
      this.cached.delete(oldest);
      this.bytes -= length;
    }
  }
}
