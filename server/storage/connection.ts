import pg from "pg";

export type Value = string | number | boolean | null | readonly (string | number | null)[];
export type Statement = { text: string; name: string };
/** Values as PostgreSQL writes them: a kind knows how to read its own. */
export type Row = (string | null)[];

const asText = { getTypeParser: () => (text: string) => text };

/** One connection that is opened when first needed and again after it was lost. */
export class Connection {
  pending = 0;
  private readonly url: string;
  private client: pg.Client | null = null;
  private opening: Promise<pg.Client> | null = null;
  private zone = "";
  private generation = 0;

  constructor(url: string) {
    this.url = url;
  }

  /** Opens the connection when needed. The number changes with every new one, and with it all that was in progress. */
  async ready(): Promise<number> {
    if (this.client === null) await this.open();
    return this.generation;
  }

  /** With a generation the statement belongs to a transaction: a new connection would run it outside of it. */
  async query(statement: Statement, values: readonly Value[], zone: string, generation?: number): Promise<Row[]> {
    this.pending++;
    try {
      if (generation !== undefined && (generation !== this.generation || this.client === null))
        throw Object.assign(new Error("Connection terminated during a transaction"), { code: "08006" });
      const client = this.client ?? (await this.open());
      if (zone !== this.zone) {
        // Answers of one connection come in the order of its statements, so the zone holds for what is sent after it.
        this.zone = zone;
        client.query("SELECT set_config('TimeZone', $1, false)", [zone]).catch(() => this.discard());
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
      statement_timeout: 30_000,
      pipeline: true,
    } as pg.ClientConfig);
    client.on("error", () => this.discard(client));
    client.on("end", () => this.discard(client));
    await client.connect();
    await client.query(
      "SET DateStyle TO 'ISO, YMD'; SET extra_float_digits TO 1; SET bytea_output TO 'hex'; SET jit TO off",
    );
    this.zone = "";
    this.generation++;
    this.client = client;
    return client;
  }

  /** The next statement opens a new connection. */
  discard(lost: pg.Client | null = this.client): void {
    if (this.client !== lost || lost === null) return;
    this.client = null;
    lost.end().catch(() => {});
  }

  async close(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client !== null) await client.end().catch(() => {});
  }
}
