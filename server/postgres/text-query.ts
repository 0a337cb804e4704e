import pg from "pg";
import { MessageWriter } from "./message-writer.ts";
import type { Value } from "./sql-value.ts";

// Statements as this server sends them. The driver asks PostgreSQL to describe the columns of every result, in order to turn texts
// into objects; field kinds parse their texts themselves, so no description is needed and rows stay as they arrive (D-497). And it
// ends every statement with a Sync, at which PostgreSQL sends its results: statements of one transaction that are sent together
// get one combined response (D-500).

export type { Value } from "./sql-value.ts";

/** Values in PostgreSQL's text format; a field kind parses its own. */
export type Row = (string | null)[];

type NamedText = { text: string; name: string };
type Part = NamedText & {
  values: readonly Value[];
  rows: Row[];
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
  settle: Settle;
  memory: ReadMemory | undefined;
  /** why its rows are dropped */
  refusal: unknown;
};
/** Counts the bytes of rows as they arrive. It throws when they are too many: then all rows of the statement are dropped. */
export type ReadMemory = { take(bytes: number): void };

/** Called immediately when a statement has succeeded or failed. */
type Settle = (error: unknown) => void;

type DriverConnection = {
  stream: WriteStream;
  /** by name: those that PostgreSQL knows, and those that were sent */
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
};
type WriteStream = { readonly writableCorked: number; cork(): void; uncork(): void; write(bytes: Buffer): boolean };

/**
 * Statements with one Sync at their end: after a failure PostgreSQL passes over the rest, so a group of more than one belongs to
 * a transaction. The driver takes it for one of its queries.
 */
class StatementGroup {
  private readonly parts: readonly Part[];
  private at = 0;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  /** Of the statement that is being answered: the driver notes what has been parsed. */
  get name(): string {
    return this.parts[this.at]?.name ?? "";
  }
  get text(): string {
    return this.parts[this.at]?.text ?? "";
  }

  /** The whole group leaves as one piece: the driver would make three pieces of every statement, each with its own object. */
  submit({ stream, parsedStatements, submittedNamedStatements }: DriverConnection): null {
    messages.begin();
    for (const { name, text, values } of this.parts) {
      const isKnown =
        name !== "" && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined);
      if (!isKnown) {
        messages.addParse(name, text);
        if (name !== "") submittedNamedStatements[name] = text;
      }
      messages.addBind(name, values);
      messages.addExecute();
    }
    messages.addSync();
    stream.write(messages.take());
    return null;
  }

  /** The fields are decoded when they are read: rows that are dropped are not. */
  handleDataRow(message: { readonly fields: Row; readonly size: number }): void {
    const part = this.parts[this.at];
    if (part === undefined || part.refusal !== null) return;
    try {
      part.memory?.take(message.size);
      part.rows.push(message.fields);
    } catch (error) {
      part.refusal = error;
      part.rows = [];
    }
  }

  handleCommandComplete(): void {
    const part = this.parts[this.at++];
    part?.settle(null);
    if (part === undefined || part.refusal === null) part?.resolve(part.rows);
    else part.reject(part.refusal);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleRowDescription(): void {}
  handleReadyForQuery(): void {}

  handleError(error: Error, connection: DriverConnection): void {
    const [failed, ...skipped] = this.parts.slice(this.at);
    this.at = this.parts.length;
    // The stack of the socket says nothing; the one of the call does.
    Error.captureStackTrace(error);
    failed?.settle(error);
    failed?.reject(error);
    for (const { name, settle, reject } of skipped) {
      if (connection.parsedStatements[name] === undefined) delete connection.submittedNamedStatements[name];
      const aborted = Object.assign(new Error("a statement before it failed"), { code: abortedCode });
      settle(aborted);
      reject(aborted);
    }
  }
}
// The driver sends only its own queries over a connection with several pending ones.
Object.setPrototypeOf(StatementGroup.prototype, pg.Query.prototype);

/** Filled and taken without a pause in between, so one is enough for all connections. */
const messages = new MessageWriter();

/** PostgreSQL's error for statements of a transaction after a failed one. */
const abortedCode = "25P02";

const asText = { getTypeParser: () => (text: string) => text };

/** Sends statements of an open connection. */
export class StatementSender {
  private readonly client: pg.Client;
  private waiting: Part[] = [];

  constructor(client: pg.Client) {
    this.client = client;
  }

  /** `isGrouped`: it is sent with others of its transaction, as soon as the process waits for something. */
  send(
    { text, name }: NamedText,
    values: readonly Value[],
    isGrouped: boolean,
    settle: Settle,
    memory?: ReadMemory,
  ): Promise<Row[]> {
    if (name === "" && values.length === 0) return this.sendSimple(text, settle);
    return new Promise((resolve, reject) => {
      const part: Part = { text, name, values, rows: [], resolve, reject, settle, memory, refusal: null };
      if (isGrouped) this.addToGroup(part);
      else {
        this.flush();
        joinWrites(this.client);
        this.submit([part]);
      }
    });
  }

  /** May contain several statements. */
  private async sendSimple(text: string, settle: Settle): Promise<Row[]> {
    this.flush();
    const asked = this.client.query({ text, rowMode: "array", types: asText } as pg.QueryArrayConfig);
    asked.then(() => settle(null), settle);
    const result = await asked;
    return (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows) as Row[];
  }

  private addToGroup(part: Part): void {
    if (this.waiting.length === 0) process.nextTick(() => this.flush());
    this.waiting.push(part);
  }

  /** Statements keep their order: any other statement goes behind the waiting ones. */
  flush(): void {
    if (this.waiting.length === 0) return;
    const parts = this.waiting;
    this.waiting = [];
    this.submit(parts);
  }

  private submit(parts: readonly Part[]): void {
    this.client.query(new StatementGroup(parts) as unknown as pg.Submittable);
  }
}

/** Statements that are sent before the process waits for anything leave in one piece. */
function joinWrites(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: DriverConnection }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
