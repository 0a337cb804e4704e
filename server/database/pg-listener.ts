import type pg from "pg";
import { afterRunningTime } from "../base/running-time.ts";
import { destroySocket, openClient } from "../postgres/servers/open-client.ts";
import { buildListenerName } from "../schema/compatible-programs.ts";
import { newestSchema } from "../schema/migration-files.ts";

// LISTEN on one connection per process. A cache checks `isConnected` before it stores an entry, and drops entries on a
// notification or after the connection was lost. A machine that lost its power closes no connections, so the listener sends
// keepalives.

const reopenPause = 500;
const probeInterval = 2000;
/** A server that is silent for longer has not sent notifications either. */
const probeTimeout = 4000;

export class PgListener {
  private readonly url: string;
  private readonly name = buildListenerName(newestSchema());
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
    let client: pg.Client | null = null;
    const again = () => {
      if (!this.closed) setTimeout(() => void this.listen().catch(() => {}), reopenPause).unref();
    };
    const lost = () => {
      if (client === null || this.client !== client) return;
      this.client = null;
      this.notifyAll();
      again();
    };
    try {
      ({ client } = await openClient(this.url, {
        application_name: this.name,
        keepAlive: true,
      }));
      client.on("error", lost);
      client.on("end", lost);
      client.on("notification", ({ channel, payload }) => {
        for (const act of this.subscriptions.get(channel) ?? []) act(payload ?? "");
      });
      for (const channel of this.subscriptions.keys()) await client.query(`LISTEN ${channel}`);
      if (this.closed) return void client.end().catch(() => {});
      this.notifyAll();
      this.client = client;
      this.probe(client, lost);
    } catch (error) {
      client?.end().catch(() => {});
      again();
      throw error;
    }
  }

  /** Asks again and again, until the connection is lost or closed. */
  private probe(client: pg.Client, lost: () => void): void {
    const next = setTimeout(() => {
      if (this.client !== client) return;
      const stop = afterRunningTime(probeTimeout, () => {
        lost();
        destroySocket(client, new Error("timeout expired"));
      });
      client.query("SELECT").then(
        () => {
          stop();
          this.probe(client, lost);
        },
        stop, // the connection has ended
      );
    }, probeInterval);
    next.unref();
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
