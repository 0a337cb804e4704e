import type { FileHandle } from "node:fs/promises";

// A message while it is received. A large one is written to a file, so that its size costs no memory. The file has no name:
// it is deleted when it is closed, also after a crash.

/** Yields the bytes of a message in pieces, from the beginning on every call. */
export type MailSource = { readonly length: number; read(): AsyncIterable<Buffer> };

/** Larger messages are in a file; they are read in pieces of this size. */
export const pieceBytes = 1_048_576;

export class MailSpool implements MailSource {
  length = 0;
  private readonly openFile: () => Promise<FileHandle>;
  private chunks: Buffer[] = [];
  /** bytes of `chunks` */
  private size = 0;
  private start: Buffer | null = null;
  private file: FileHandle | null = null;

  constructor(openFile: () => Promise<FileHandle>) {
    this.openFile = openFile;
  }

  async write(chunk: Buffer): Promise<void> {
    this.chunks.push(chunk);
    this.size += chunk.length;
    this.length += chunk.length;
    if (this.size > pieceBytes) await this.flush();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    this.start ??= bytes;
    this.file ??= await this.openFile();
    await this.file.writeFile(bytes);
  }

  /** The first bytes: all of a small message, and somewhat more than a piece of a large one. */
  readStart(): Buffer {
    return this.start ?? Buffer.concat(this.chunks);
  }

  async *read(): AsyncIterable<Buffer> {
    if (this.file === null) {
      yield Buffer.concat(this.chunks);
      return;
    }
    if (this.size > 0) await this.flush();
    for (let position = 0; position < this.length; ) {
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, position);
      if (bytesRead === 0) throw new Error("the file of a message is shorter than the message");
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    this.chunks = [];
    this.start = null;
    await this.file?.close();
  }
}

export const toMailSource = (bytes: Buffer): MailSource => ({
  length: bytes.length,
  async *read() {
    for (let position = 0; position < bytes.length; position += pieceBytes)
      yield bytes.subarray(position, position + pieceBytes);
  },
});
