import pg from "pg";

// A statement as this server sends it. The driver asks PostgreSQL to describe the columns of every result, in order to turn
// texts into objects. Field kinds parse their texts themselves, so nothing is asked and rows stay as they arrive (D-497).

export type Value = string | number | boolean | null | readonly (string | number | null)[];

/** Values in PostgreSQL's text format; a field kind parses its own. */
export type Row = (string | null)[];

type Message = { fields: Row };
type DriverConnection = {
  parse(message: { text: string; name: string }): void;
  bind(message: {
    portal: string;
    statement: string;
    values: readonly Value[];
    valueMapper(value: Value): string | Buffer | null;
  }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
  submittedNamedStatements: Record<string, string>;
};
type Answer = (error: Error | null, rows: Row[]) => void;

/** What the driver has in its class of queries beside what its types declare. */
type DriverQuery = {
  text: string;
  name: string;
  values: readonly Value[];
  callback: Answer;
  hasBeenParsed(connection: DriverConnection): boolean;
};
const DriverQuery = pg.Query as unknown as new (
  config: { text: string; name: string | undefined; values: readonly Value[] },
  values: undefined,
  callback: Answer,
) => DriverQuery;

class TextQuery extends DriverQuery {
  private readonly found: Row[] = [];

  prepare(connection: DriverConnection): void {
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ text: this.text, name: this.name });
      if (this.name) connection.submittedNamedStatements[this.name] = this.text;
    }
    connection.bind({ portal: "", statement: this.name, values: this.values, valueMapper: toText });
    connection.execute({ portal: "", rows: 0 });
    connection.sync();
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleDataRow(message: Message): void {
    this.found.push(message.fields);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.found);
  }
}

/** Sends a statement; the rows are in PostgreSQL's text format. */
export const sendTextQuery = (
  client: pg.Client,
  { text, name }: { text: string; name: string },
  values: readonly Value[],
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const answer: Answer = (error, rows) => {
      if (error === null) return resolve(rows);
      // The stack of the socket says nothing; the one of the call does.
      Error.captureStackTrace(error);
      reject(error);
    };
    const query = new TextQuery({ text, name: name === "" ? undefined : name, values }, undefined, answer);
    client.query(query as unknown as pg.Submittable);
  });

const toText = (value: Value): string | Buffer | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return Buffer.isBuffer(value) ? value : buildArrayText(value);
  return String(value);
};

const buildArrayText = (list: readonly (string | number | null)[]): string =>
  `{${list.map((item) => (item === null ? "NULL" : typeof item === "string" ? quoteItem(item) : String(item))).join(",")}}`;

const quoteItem = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

type WriteStream = { readonly writableCorked: number; cork(): void; uncork(): void };

/** Statements that are sent before the process waits for anything leave in one piece. */
export function joinWrites(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: WriteStream } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
