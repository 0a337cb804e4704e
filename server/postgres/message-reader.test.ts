import fc from "fast-check";
import { expect, test } from "vitest";
import { type DataRow, MessageReader } from "./message-reader.ts";

const writeMessage = (code: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const writeNumber = (number: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(number, 0, size);
  return bytes;
};
const writeRow = (row: DataRow): Buffer => {
  const values = row.map((value) => {
    const bytes = Buffer.from(value ?? "");
    return Buffer.concat([writeNumber(value === null ? -1 : bytes.length, 4), bytes]);
  });
  return writeMessage("D", Buffer.concat([writeNumber(row.length, 2), ...values]));
};

/** The messages that a reader returns for bytes that arrive in chunks of these sizes. */
function read(bytes: Buffer, sizes: readonly number[]): unknown[] {
  const told: unknown[] = [];
  const receiver = {
    emit(event: string, message: unknown): boolean {
      const { fields, text, status } = message as { fields?: DataRow; text?: string; status?: string };
      told.push(fields ?? { event, text: text ?? status });
      return true;
    },
  };
  const reader = new MessageReader(receiver, (message) => told.push(`other ${message.toString("latin1")}`));
  // As from a socket: every chunk arrives in the same buffer.
  const memory = Buffer.alloc(bytes.length);
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    if (at < bytes.length) reader.read(memory.subarray(0, bytes.copy(memory, 0, at, at + size)));
    memory.fill(0xff);
    at += size;
  }
  return told;
}

const values = fc.oneof(
  fc.constant(null),
  fc.constant(""),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
  fc.string({ minLength: 100, maxLength: 300 }).map((text) => text.toWellFormed()),
);

test("property: rows are read as they were written, with any chunk boundaries", () => {
  const rows = fc.array(fc.array(values, { maxLength: 6 }), { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(rows, sizes, (given, cuts) => {
      const message = Buffer.concat(given.map(writeRow));
      expect(read(message, cuts)).toEqual(given);
    }),
    { numRuns: 200 },
  );
});

test("the driver gets all messages that are not rows, in order", () => {
  const bytes = Buffer.concat([
    writeMessage("2", Buffer.alloc(0)),
    writeRow(["Zoë", null]),
    writeMessage("N", Buffer.from("SNOTICE\0\0")),
    writeMessage("C", Buffer.from("SELECT 1\0")),
    writeMessage("Z", Buffer.from("T")),
  ]);
  const wanted = [
    ["Zoë", null],
    `other ${writeMessage("N", Buffer.from("SNOTICE\0\0")).toString("latin1")}`,
    { event: "commandComplete", text: "SELECT 1" },
    { event: "readyForQuery", text: "T" },
  ];
  expect(read(bytes, [])).toEqual(wanted);
  expect(read(bytes, Array(bytes.length).fill(1))).toEqual(wanted);
});
