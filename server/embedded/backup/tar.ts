// The part of the tar format that a backup needs: plain files, written and read as streams (POSIX ustar, with pax
// headers where a name or a size does not fit). tar-stream needs 15 further packages, and its dates end in 2038.

export type TarEntry = { name: string; size: number; modified: Date };

const blockSize = 512;
const plainName = /^[\x20-\x7e]{1,100}$/;
const plainSize = 8 ** 11;

export const endOfTar = Buffer.alloc(2 * blockSize);

/** The header block of a file, after a pax header where one is needed. */
export function tarHeader({ name, size, modified }: TarEntry): Buffer {
  const extended: string[] = [];
  if (!plainName.test(name)) extended.push(paxRecord("path", name));
  if (size >= plainSize) extended.push(paxRecord("size", String(size)));
  const short = name.replaceAll(/[^\x20-\x7e]/g, "_").slice(-100);
  const plain = headerBlock(short, size < plainSize ? size : 0, modified, "0");
  if (extended.length === 0) return plain;
  const text = Buffer.from(extended.join(""));
  return Buffer.concat([headerBlock("pax-header", text.length, modified, "x"), text, tarPadding(text.length), plain]);
}

/** Zeros after the content, up to the next full block. */
export const tarPadding = (size: number) => Buffer.alloc((blockSize - (size % blockSize)) % blockSize);

function headerBlock(name: string, size: number, modified: Date, type: string): Buffer {
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, digits: number) =>
    header.write(Math.trunc(value).toString(8).padStart(digits, "0"), at, "latin1");
  header.write(name, 0, "latin1");
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.max(0, modified.getTime() / 1000), 136, 11);
  header.write(type, 156, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  octal(checksum(header), 148, 6);
  header[155] = 0x20;
  return header;
}

// The checksum counts its own field as spaces.
const checksum = (header: Buffer) =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);

// "<length> <key>=<value>\n", where the length includes its own digits.
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(rest) + String(length).length !== length) length++;
  return `${length}${rest}`;
}

export type TarContent = TarEntry & { content: AsyncIterable<Buffer> };

/** The files of a tar stream; content that the caller did not read is skipped. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarContent> {
  const bytes = source[Symbol.asyncIterator]();
  const reader = createReader(bytes);
  let extended: Record<string, string> = {};
  try {
    while (true) {
      const header = await reader.exactly(blockSize);
      if (header.every((byte) => byte === 0)) break;
      const octal = (at: number, length: number) => Number.parseInt(header.toString("latin1", at, at + length), 8) || 0;
      if (octal(148, 8) !== checksum(header)) throw new Error("a tar header is damaged");
      const type = header.toString("latin1", 156, 157);
      if (type === "x") {
        extended = parsePaxRecords(await reader.exactly(octal(124, 12)));
        await reader.exactly(tarPadding(octal(124, 12)).length);
        continue;
      }
      if (type !== "0") throw new Error(`a tar entry of type "${type}" is not a plain file`);
      const name = extended.path ?? header.toString("latin1", 0, 100).replace(/\0.*$/s, "");
      const size = Number(extended.size ?? octal(124, 12));
      extended = {};
      const body = reader.body(size);
      yield { name, size, modified: new Date(octal(136, 12) * 1000), content: body.content() };
      await body.skip();
      await reader.exactly(tarPadding(size).length);
    }
    while (!(await bytes.next()).done); // to the very end, where gzip keeps its checksum
  } finally {
    await bytes.return?.();
  }
}

function parsePaxRecords(data: Buffer): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < data.length; ) {
    const length = Number.parseInt(data.toString("latin1", at, at + 20), 10);
    if (!(length > 0)) throw new Error("a tar header is damaged");
    const text = data.toString("utf8", at + String(length).length + 1, at + length - 1);
    const equals = text.indexOf("=");
    found[text.slice(0, equals)] = text.slice(equals + 1);
    at += length;
  }
  return found;
}

function createReader(bytes: AsyncIterator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0);
  async function some(limit: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await bytes.next();
      if (done) throw new Error("the file ends too early");
      rest = value;
    }
    const part = rest.subarray(0, limit);
    rest = rest.subarray(part.length);
    return part;
  }
  function body(size: number) {
    let left = size;
    async function* content(): AsyncGenerator<Buffer> {
      while (left > 0) {
        const part = await some(left);
        left -= part.length;
        yield part;
      }
    }
    return {
      content,
      async skip() {
        while (left > 0) left -= (await some(left)).length;
      },
    };
  }
  async function exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of body(size).content()) parts.push(part);
    return Buffer.concat(parts);
  }
  return { body, exactly };
}
