import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

// Decodes the files that spreadsheets write: UTF-8, UTF-16 and Windows-1252. D-770

/** Its message is shown to the person who sent the file. */
export class UnreadableFile extends Error {}

/** A byte sequence that is invalid in the encoding. */
export class InvalidByte extends Error {}

const zipSignature = 0x504b0304;

/** Calls `read` with the number of bytes read so far. */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  read: (position: number) => void,
): AsyncGenerator<string> {
  let decoder: Decoder | null = null;
  let head: Buffer = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of bytes) {
    position += chunk.length;
    read(position);
    if (decoder !== null) {
      yield* decoder.decode(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 4) continue;
    if (head.readUInt32BE() === zipSignature)
      throw new UnreadableFile("the file is an archive or a workbook: save it as CSV or as tab-separated text");
    decoder = pickDecoder(head);
    yield* decoder.decode(head);
  }
  if (decoder === null) {
    decoder = pickDecoder(head);
    yield* decoder.decode(head);
  }
  yield decoder.end();
}

/** `end` returns the text of the last bytes. */
type Decoder = { decode(chunk: Buffer): Generator<string>; end(): string };

/** By the byte order mark, or by the zero bytes of UTF-16LE. */
function pickDecoder(head: Buffer): Decoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new UnicodeDecoder("utf-16le", 2);
  if (head[0] === 0xfe && head[1] === 0xff) return new UnicodeDecoder("utf-16be", 2);
  if (head.length >= 4 && head[1] === 0 && head[3] === 0) return new UnicodeDecoder("utf-16le", 0);
  if (head.toString("latin1", 0, 3) === "\u00ef\u00bb\u00bf") return new UnicodeDecoder("utf-8", 3);
  return new UnmarkedDecoder();
}

type Unicode = "utf-8" | "utf-16le" | "utf-16be";

/** `skipped`: the bytes of the byte order mark */
class UnicodeDecoder implements Decoder {
  private readonly encoding: Unicode;
  private readonly decoder: TextDecoder;
  private skipped: number;
  /** the first bytes of a character that continues in the next chunk */
  private partial: Buffer = Buffer.alloc(0);

  constructor(encoding: Unicode, skipped: number) {
    this.encoding = encoding;
    this.skipped = skipped;
    this.decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  }

  *decode(chunk: Buffer): Generator<string> {
    const bytes = Buffer.concat([this.partial, chunk.subarray(this.skipped)]);
    this.skipped = 0;
    const whole = bytes.length - countPartialBytes[this.encoding](bytes);
    this.partial = bytes.subarray(whole);
    try {
      yield this.decoder.decode(bytes.subarray(0, whole));
    } catch {
      yield* this.decodeLines(bytes.subarray(0, whole));
      throw new InvalidByte();
    }
  }

  /** The lines before the invalid one. */
  private *decodeLines(bytes: Buffer): Generator<string> {
    const lineFeed = Buffer.from(lineFeeds[this.encoding]);
    for (let at = 0; at < bytes.length; ) {
      const next = findLineEnd(bytes, lineFeed, at);
      try {
        yield this.decoder.decode(bytes.subarray(at, next));
      } catch {
        return;
      }
      at = next;
    }
  }

  end(): string {
    if (this.partial.length > 0) throw new InvalidByte();
    return "";
  }
}

const lineFeeds: Record<Unicode, readonly number[]> = {
  "utf-8": [0x0a],
  "utf-16le": [0x0a, 0],
  "utf-16be": [0, 0x0a],
};

/** The position after the next line feed. Its bytes may also be the halves of two other characters. */
function findLineEnd(bytes: Buffer, lineFeed: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = bytes.indexOf(lineFeed, at);
    if (at < 0) return bytes.length;
    if ((at - from) % lineFeed.length === 0) return at + lineFeed.length;
  }
}

/** The number of bytes at the end that begin an incomplete character. */
const countPartialBytes: Record<Unicode, (bytes: Buffer) => number> = {
  "utf-8": countPartialUtf8,
  "utf-16le": (bytes) => countPartialUtf16(bytes, 1),
  "utf-16be": (bytes) => countPartialUtf16(bytes, 2),
};

function countPartialUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    return getUtf8Length(byte) > back ? back : 0;
  }
  return 0;
}

/** The length of the character that a byte begins. */
const getUtf8Length = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);

/** Half a unit, or the first of a surrogate pair; `highByte`: the place of its high byte, from the end. */
function countPartialUtf16(bytes: Buffer, highByte: 1 | 2): number {
  const odd = bytes.length % 2;
  const last = bytes[bytes.length - odd - highByte] ?? 0;
  return odd + (bytes.length > odd && (last & 0xfc) === 0xd8 ? 2 : 0);
}

/**
 * A file without a byte order mark is ASCII up to its first other character. If that one is valid UTF-8, so is the file;
 * otherwise a spreadsheet has saved it in Windows-1252.
 */
class UnmarkedDecoder implements Decoder {
  private decided: Decoder | null = null;
  private partial: Buffer = Buffer.alloc(0);

  *decode(chunk: Buffer): Generator<string> {
    if (this.decided !== null) return yield* this.decided.decode(chunk);
    const bytes = Buffer.concat([this.partial, chunk]);
    const first = bytes.findIndex((byte) => byte >= 0x80);
    if (first < 0) {
      this.partial = Buffer.alloc(0);
      yield bytes.toString("latin1");
      return;
    }
    const end = first + getUtf8Length(bytes[first] as number);
    if (end > bytes.length) {
      this.partial = bytes.subarray(first);
      yield bytes.toString("latin1", 0, first);
      return;
    }
    this.decided = isUtf8(bytes.subarray(first, end)) ? new UnicodeDecoder("utf-8", 0) : new WesternDecoder();
    yield* this.decided.decode(bytes);
  }

  end(): string {
    if (this.decided !== null) return this.decided.end();
    // A single byte is a last letter in Windows-1252; several are a character of UTF-8 that was cut off.
    if (this.partial.length > 1) throw new InvalidByte();
    return [...new WesternDecoder().decode(this.partial)].join("");
  }
}

/** The characters of Windows-1252 that Latin-1 does not have, from 0x80; blanks are undefined. */
const westernCharacters = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const binary = /[\x00-\x08\x0e-\x1f]/;
/** Undefined bytes, and UTF-8: the file is damaged. */
const notWestern = /[\x81\x8d\x8f\x90\x9d]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/;

class WesternDecoder implements Decoder {
  *decode(chunk: Buffer): Generator<string> {
    const text = chunk.toString("latin1");
    if (binary.test(text)) throw new InvalidByte();
    const wrong = notWestern.exec(text)?.index ?? text.length;
    const readable = wrong < text.length ? text.slice(0, text.lastIndexOf("\n", wrong) + 1) : text;
    yield readable.replace(/[\x80-\x9f]/g, (character) => westernCharacters[character.charCodeAt(0) - 0x80] as string);
    if (wrong < text.length) throw new InvalidByte();
  }

  end(): string {
    return "";
  }
}
