import pg from "pg";

// What PostgreSQL notifies of, heard on one connection per process. Whoever keeps something in memory asks `hears` before
// it does, and forgets it when the channel speaks or the connection was lost.

export class Notices {
  private readonly url: string;
  private readonly heard = new Map<string, ((payload: string | null) => void)[]>();
  private client: pg.Client | null = null;
  private closed = false;

  constructor(url: string) {
    this.url = url;
  }

  /** `act` gets what was told; null when anything may have been missed. */
  on(channel: string, act: (payload: string | null) => void): void {
    this.heard.set(channel, [...(this.heard.get(channel) ?? []), act]);
  }

  get hears(): boolean {
    return this.client !== null;
  }

  /** Lost connections are opened again. */
  async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: "steward listener",
      keepAlive: true,
    });
    const again = () => {
      if (!this.closed) setTimeout(() => void this.listen().catch(() => {}), 500).unref();
    };
    const lost = () => {
      if (this.client !== client) return;
      this.client = null;
      this.tellAll();
      again();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => {
      for (const act of this.heard.get(channel) ?? []) act(payload ?? "");
    });
    try {
      await client.connect();
      for (const channel of this.heard.keys()) await client.query(`LISTEN ${channel}`);
      this.tellAll();
      this.client = client;
    } catch (error) {
      client.end().catch(() => {});
      again();
      throw error;
    }
  }

  private tellAll(): void {
    for (const acts of this.heard.values()) for (const act of acts) act(null);
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }
}
