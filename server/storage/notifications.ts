import pg from "pg";

/** Hears what any process notifies on a channel. Lost connections are opened again. */
export class Notifications {
  private readonly url: string;
  private readonly channel: string;
  private readonly heard: (payload: string | null) => void;
  private client: pg.Client | null = null;
  private closed = false;

  /** `heard` gets null when anything may have been missed. */
  constructor(url: string, channel: string, heard: (payload: string | null) => void) {
    this.url = url;
    this.channel = channel;
    this.heard = heard;
  }

  get isListening(): boolean {
    return this.client !== null;
  }

  async listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: "steward listener", keepAlive: true });
    const lost = () => {
      if (this.client !== client) return;
      this.client = null;
      this.heard(null);
      this.tryAgain();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => this.heard(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
      this.heard(null);
      this.client = client;
    } catch (error) {
      client.end().catch(() => {});
      this.tryAgain();
      throw error;
    }
  }

  private tryAgain(): void {
    if (!this.closed) setTimeout(() => void this.listen().catch(() => {}), 500).unref();
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }
}
