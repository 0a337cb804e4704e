import pg from "pg";

export type Value = string | number | boolean | null | readonly (string | number | null)[];
export type Statement = {
  text: string;
  name: string;
  /** PostgreSQL keeps one generic plan per connection: for long statements whose plan does not depend on the values */
  plannedOnce?: boolean;
  batch?: Batch;
};

/** How concurrent calls of a statement are merged into one call of another statement. */
export type Batch = {
  statement: Statement;
  /** calls with the same key can be merged */
  groupKey(values: readonly Value[]): string;
  mergeValues(calls: readonly (readonly Value[])[]): readonly Value[];
  /** the rows of each call */
  distribute(all: readonly Row[], calls: readonly (readonly Value[])[]): readonly (readonly Row[])[];
};

/** Values in PostgreSQL's text format; a field kind parses its own. */
export type Row = (string | null)[];

const asText = { getTypeParser: () => (text: string) => text };

const statementTimeout = 30_000;
const silenceTimeout = statementTimeout + 5000;

/** A connection that is opened on first use and reopened after it was lost. */
export class Connection {
  pending = 0;
  private readonly url: string;
  private client: pg.Client | null = null;
  private opening: Promise<pg.Client> | null = null;
  private zone = "";
  private planning = "auto";
  private generation = 0;
  private lastAnswer = 0;
  private watch: NodeJS.Timeout | null = null;

  constructor(url: string) {
    this.url = url;
  }

  /** Opens the connection if needed. Every new one has a new generation; the transactions of the old are lost. */
  async ready(): Promise<number> {
    if (this.client === null) await this.open();
    return this.generation;
  }

  /** With a generation the statement belongs to a transaction, and must not run on a new connection outside of it. */
  async query(statement: Statement, values: readonly Value[], zone: string, generation?: number): Promise<Row[]> {
    if (this.pending++ === 0) this.lastAnswer = Date.now();
    try {
      if (generation !== undefined && (generation !== this.generation || this.client === null))
        throw Object.assign(new Error("Connection terminated during a transaction"), { code: "08006" });
      const client = this.client ?? (await this.open());
      if (zone !== this.zone) {
        // A connection answers in the order of its statements, so the zone applies to all that are sent after it.
        this.zone = zone;
        client.query("SELECT set_config('TimeZone', $1, false)", [zone]).catch(() => this.discard());
      }
      const planning = statement.plannedOnce ? "force_generic_plan" : "auto";
      if (planning !== this.planning) {
        this.planning = planning;
        client.query("SELECT set_config('plan_cache_mode', $1, false)", [planning]).catch(() => this.discard());
      }
      const result = await client.query({
        text: statement.text,
        name: statement.name === "" ? undefined : statement.name,
        values: values as unknown[],
        rowMode: "array",
        types: asText,
      } as pg.QueryArrayConfig);
      return result.rows as Row[];
    } finally {
      this.pending--;
      this.lastAnswer = Date.now();
    }
  }

  private open(): Promise<pg.Client> {
    this.opening ??= this.connect().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "steward",
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      statement_timeout: statementTimeout,
      pipeline: true,
    } as pg.ClientConfig);
    client.on("error", () => this.discard(client));
    client.on("end", () => this.discard(client));
    await client.connect();
    await client.query(
      "SET DateStyle TO 'ISO, YMD'; SET extra_float_digits TO 1; SET bytea_output TO 'hex'; SET jit TO off",
    );
    this.zone = "";
    this.planning = "auto";
    this.generation++;
    this.client = client;
    // PostgreSQL cancels slow statements. A server that does not answer at all is given up a little later.
    this.watch ??= setInterval(() => {
      if (this.pending > 0 && this.client !== null && Date.now() - this.lastAnswer > silenceTimeout) this.abandon();
    }, silenceTimeout / 8).unref();
    return client;
  }

  private abandon(): void {
    const { client } = this;
    this.client = null;
    // An orderly end would wait for the silent server: destroying the socket makes everything pending fail.
    (
      client as unknown as { connection: { stream: { destroy(error: Error): void } } } | null
    )?.connection.stream.destroy(Object.assign(new Error("the database does not answer"), { code: "57014" }));
  }

  /** The next statement opens a new connection. */
  discard(lost: pg.Client | null = this.client): void {
    if (this.client !== lost || lost === null) return;
    this.client = null;
    lost.end().catch(() => {});
  }

  async close(): Promise<void> {
    if (this.watch !== null) clearInterval(this.watch);
    const client = this.client;
    this.client = null;
    if (client !== null) await client.end().catch(() => {});
  }
}
