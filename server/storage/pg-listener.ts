import pg from "pg";

// LISTEN on one connection per process. A cache checks `isConnected` before it stores an entry, and drops entries on a
// notification or after the connection was lost.

export class PgListener {
  private readonly url: string;
  private readonly subscriptions = new Map<string, ((payload: string | null) => void)[]>();
  private client: pg.Client | null = null;
  private closed = false;

  constructor(url: string) {
    this.url = url;
  }

  /** `act` gets the payload; null: notifications may have been missed. */
  subscribe(channel: string, act: (payload: string | null) => void): void {
    this.subscriptions.set(channel, [...(this.subscriptions.get(channel) ?? []), act]);
  }

  get isConnected(): boolean {
    return this.client !== null;
  }

  /** Lost connections are reopened. */
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
      this.notifyAll();
      again();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => {
      for (const act of this.subscriptions.get(channel) ?? []) act(payload ?? "");
    });
    try {
      await client.connect();
      for (const channel of this.subscriptions.keys()) await client.query(`LISTEN ${channel}`);
      this.notifyAll();
      this.client = client;
    } catch (error) {
      client.end().catch(() => {});
      again();
      throw error;
    }
  }

  private notifyAll(): void {
    for (const acts of this.subscriptions.values()) for (const act of acts) act(null);
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }
}
