import { EventEmitter } from "node:events";
import { Socket } from "node:net";

// Reads PostgreSQL's messages (chapter "Message Formats" of its documentation). The driver decodes every value with a separate
// call, which takes longer than anything else that a list costs in this process. Here a row is decoded as a whole and its values
// are slices of that text. Rare messages are left to the driver.

export type DataRow = (string | null)[];

/** The driver's side of a message: it notifies its client by events. */
export type MessageReceiver = {
  emit(event: string, message: unknown): boolean;
  attachListeners(stream: EventEmitter): void;
};

const code = { bindComplete: 0x32, commandComplete: 0x43, dataRow: 0x44, readyForQuery: 0x5a };
const headerSize = 5;

/**
 * The buffer for all sockets below: a reader consumes its bytes before more can arrive. A stream would
 * allocate memory for every response, and pass it through several functions (D-721).
 */
const received = Buffer.allocUnsafeSlow(65_536);
const readersBySocket = new WeakMap<EventEmitter, MessageReader>();

/** A socket for a connection that is not encrypted. */
export function createSocket(): Socket {
  const socket = new Socket({
    onread: {
      buffer: received,
      callback(size) {
        readersBySocket.get(socket)?.read(received.subarray(0, size));
        return true;
      },
    },
  });
  return socket;
}

/** Lets the connection of a client that is not open yet read in this way. */
export function readRowsAtOnce(connection: MessageReceiver): void {
  const others = new EventEmitter();
  connection.attachListeners(others);
  connection.attachListeners = (stream) => {
    const reader = new MessageReader(connection, (message) => others.emit("data", message));
    readersBySocket.set(stream, reader);
    stream.on("data", (bytes: Buffer) => reader.read(bytes)); // of an encrypted connection
  };
}

export class MessageReader {
  private readonly receiver: Pick<MessageReceiver, "emit">;
  private readonly readOther: (message: Buffer) => void;
  /** the beginning of a message whose end has not arrived, in parts */
  private parts: Buffer[] = [];
  private partsSize = 0;
  /** of that message; unknown while its header is incomplete */
  private wantedSize = headerSize;

  constructor(receiver: Pick<MessageReceiver, "emit">, readOther: (message: Buffer) => void) {
    this.receiver = receiver;
    this.readOther = readOther;
  }

  /** The memory of the bytes may be used again afterwards. */
  read(bytes: Buffer): void {
    if (this.partsSize === 0) {
      this.readMessages(bytes);
      return;
    }
    this.parts.push(Buffer.from(bytes));
    this.partsSize += bytes.length;
    // A large message arrives in many pieces, which are put together once.
    if (this.partsSize < this.wantedSize) return;
    const joined = Buffer.concat(this.parts, this.partsSize);
    this.parts = [];
    this.partsSize = 0;
    this.readMessages(joined);
  }

  private readMessages(bytes: Buffer): void {
    let at = 0;
    while (at + headerSize <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      this.readMessage(bytes, at, end);
      at = end;
    }
    if (at === bytes.length) return;
    const rest = Buffer.from(bytes.subarray(at));
    this.parts = [rest];
    this.partsSize = rest.length;
    this.wantedSize = rest.length < headerSize ? headerSize : 1 + rest.readUInt32BE(1);
  }

  private readMessage(bytes: Buffer, at: number, end: number): void {
    const start = at + headerSize;
    switch (bytes[at]) {
      case code.dataRow:
        this.receiver.emit("dataRow", new DataRowMessage(bytes, start, end));
        break;
      case code.bindComplete:
        break; // the driver does not look at it
      case code.commandComplete:
        this.receiver.emit("commandComplete", new CommandComplete(bytes, start, end));
        break;
      case code.readyForQuery:
        this.receiver.emit("readyForQuery", { status: String.fromCharCode(bytes[start] as number) });
        break;
      default:
        this.readOther(Buffer.from(bytes.subarray(at, end)));
    }
  }
}

/** Decoded when its fields are read. It is good for as long as its bytes. */
class DataRowMessage {
  private readonly bytes: Buffer;
  private readonly start: number;
  private readonly end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  get fields(): DataRow {
    return readRow(this.bytes, this.start, this.end);
  }

  get size(): number {
    return this.end - this.start;
  }
}

/** Its text says what was done to how many rows; our own statements do not ask for it. It is good for as long as its bytes. */
class CommandComplete {
  private readonly bytes: Buffer;
  private readonly start: number;
  private readonly end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  get text(): string {
    return this.bytes.toString("utf8", this.start, this.end - 1);
  }
}

/** The values of a message DataRow: their number, and each with its length before it. */
export function readRow(bytes: Buffer, start: number, end: number): DataRow {
  const count = ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
  const row: DataRow = new Array(count);
  // One character per byte: right for values that are ASCII, which most are.
  const text = bytes.toString("latin1", start, end);
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) {
      row[index] = null;
      continue;
    }
    const next = at + length;
    let all = 0;
    for (let place = at; place < next; place++) all |= bytes[place] as number;
    row[index] = all < 0x80 ? text.slice(at - start, next - start) : bytes.toString("utf8", at, next);
    at = next;
  }
  return row;
}
