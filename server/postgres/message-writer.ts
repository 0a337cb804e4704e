// The messages that ask PostgreSQL to run statements (chapter "Message Formats" of its documentation), written into one piece
// of memory: a save sends a dozen statements, and what it costs to send them is mostly the number of pieces.

import type { Value } from "./sql-value.ts";

const initialSize = 16_384;
/** Larger memory is not kept: few groups need it. */
const keptSize = 1_048_576;
/** A character of JavaScript takes at most three bytes of UTF-8. */
const maxBytesPerUnit = 3;
/** Most values are short, and a call of native code takes longer than their characters. */
const maxLoopedLength = 32;
const code = { parse: 0x50, bind: 0x42, execute: 0x45, sync: 0x53 };

export class MessageWriter {
  private bytes = Buffer.allocUnsafe(initialSize);
  private at = 0;

  begin(): void {
    this.at = 0;
    if (this.bytes.length > keptSize) this.bytes = Buffer.allocUnsafe(initialSize);
  }

  /** Everything since `begin`, as memory of its own: it may wait in the socket. */
  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }

  /** An empty name means the unnamed statement. The types of parameters are left to PostgreSQL. */
  addParse(name: string, text: string): void {
    const start = this.open(code.parse);
    this.addText(name);
    this.addText(text);
    this.addUint16(0);
    this.close(start);
  }

  /** Values and results in text format, apart from bytes. */
  addBind(name: string, values: readonly Value[]): void {
    const start = this.open(code.bind);
    this.addText(""); // the portal
    this.addText(name);
    const hasBytes = values.some((value) => Buffer.isBuffer(value));
    this.addUint16(hasBytes ? values.length : 0);
    if (hasBytes) for (const value of values) this.addUint16(Buffer.isBuffer(value) ? 1 : 0);
    this.addUint16(values.length);
    for (const value of values) this.addValue(value);
    this.addUint16(0);
    this.close(start);
  }

  addExecute(): void {
    const start = this.open(code.execute);
    this.addText(""); // the portal
    this.addInt32(0); // all rows
    this.close(start);
  }

  addSync(): void {
    this.close(this.open(code.sync));
  }

  private addValue(value: Value): void {
    if (value === null || value === undefined) {
      this.addInt32(-1);
      return;
    }
    if (Buffer.isBuffer(value)) {
      this.addInt32(value.length);
      this.reserve(value.length);
      this.at += value.copy(this.bytes, this.at);
      return;
    }
    const start = this.at;
    this.addInt32(0);
    this.addUtf8(typeof value === "object" ? buildArrayText(value) : String(value));
    this.bytes.writeInt32BE(this.at - start - 4, start);
  }

  /** Begins a message; returns the place of its length. */
  private open(kind: number): number {
    this.reserve(5);
    this.bytes[this.at++] = kind;
    this.at += 4;
    return this.at - 4;
  }

  private close(start: number): void {
    this.bytes.writeInt32BE(this.at - start, start);
  }

  private addUint16(number: number): void {
    this.reserve(2);
    this.at = this.bytes.writeUInt16BE(number, this.at);
  }

  private addInt32(number: number): void {
    this.reserve(4);
    this.at = this.bytes.writeInt32BE(number, this.at);
  }

  private addText(text: string): void {
    this.addUtf8(text);
    this.reserve(1);
    this.bytes[this.at++] = 0;
  }

  private addUtf8(text: string): void {
    this.reserve(text.length * maxBytesPerUnit);
    if (text.length > maxLoopedLength || !this.addAscii(text)) this.at += this.bytes.write(text, this.at);
  }

  /** False: the text is not ASCII, and nothing was added. */
  private addAscii(text: string): boolean {
    const { bytes } = this;
    let { at } = this;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      bytes[at++] = unit;
    }
    this.at = at;
    return true;
  }

  private reserve(count: number): void {
    if (this.bytes.length - this.at >= count) return;
    const larger = Buffer.allocUnsafe(2 * (this.at + count));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

const buildArrayText = (list: readonly (string | number | null)[]): string =>
  `{${list.map((item) => (item === null ? "NULL" : typeof item === "string" ? quoteItem(item) : String(item))).join(",")}}`;

const quoteItem = (text: string): string =>
  /["\\]/.test(text) ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : `"${text}"`;
