import { Connection, type ConnectionSettings } from "../../postgres/connection.ts";

// Connections for exports, which read for minutes. They have a lane of their own: changes and other reads never wait for
// one of them. Its users limit themselves to as many as there are connections (server/exchange/exchange-context.ts).

export class SnapshotLane {
  private readonly connect: () => Connection;
  private readonly maxConnections: number;
  private readonly idle: Connection[] = [];
  private readonly waiting: ((connection: Connection) => void)[] = [];
  private open = 0;
  private closed = false;

  constructor(url: string, settings: ConnectionSettings, maxConnections: number) {
    this.connect = () => new Connection(url, settings);
    this.maxConnections = maxConnections;
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.checkOut();
    try {
      return await work(connection);
    } finally {
      this.checkIn(connection);
    }
  }

  private async checkOut(): Promise<Connection> {
    const idle = this.idle.pop();
    if (idle !== undefined) return idle;
    if (this.open < this.maxConnections) {
      this.open++;
      return this.connect();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private checkIn(connection: Connection): void {
    const next = this.waiting.shift();
    if (next !== undefined) next(connection);
    else if (this.closed) void connection.close();
    else this.idle.push(connection);
  }

  retire(): void {
    for (const connection of this.idle) connection.retire();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.idle.map((connection) => connection.close()));
  }
}
