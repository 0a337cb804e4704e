import type { Socket } from "node:net";
import { isIP } from "node:net";
import { buildConnector, Pool } from "undici";
import type { AddressFilter } from "./address-filter.ts";

// Connections to receivers, kept open between messages. Every new connection resolves the host name and checks all its
// addresses, and the address that was reached: a name may resolve differently the second time.

/** Concurrent calls to one receiver. */
export const maxCallsPerReceiver = 16;
const idleMilliseconds = 60_000;

type ReceiverPool = { pool: Pool; usedAt: number };

export class ConnectionPools {
  private readonly addresses: AddressFilter;
  private readonly pools = new Map<string, ReceiverPool>();
  private readonly sweep: NodeJS.Timeout;

  constructor(addresses: AddressFilter) {
    this.addresses = addresses;
    this.sweep = setInterval(() => this.closeIdle(), idleMilliseconds / 2).unref();
  }

  getPool(origin: string): Pool {
    let entry = this.pools.get(origin);
    if (entry === undefined) {
      const pool = new Pool(origin, {
        connect: this.connector(),
        connections: maxCallsPerReceiver,
        pipelining: 1,
        keepAliveTimeout: 20_000,
        keepAliveMaxTimeout: idleMilliseconds,
        maxHeaderSize: 16_384,
        headersTimeout: 10_000,
        bodyTimeout: 10_000,
      });
      entry = { pool, usedAt: 0 };
      this.pools.set(origin, entry);
    }
    entry.usedAt = Date.now();
    return entry.pool;
  }

  private connector(): buildConnector.connector {
    const connect = buildConnector({ timeout: 10_000 });
    return (options, callback) => {
      const { hostname } = options;
      const attempt = async (): Promise<Socket> => {
        const resolved = await this.addresses.resolveAllowed(hostname);
        let failure: unknown = null;
        for (const { address } of resolved.slice(0, 3))
          try {
            return await this.connectTo(connect, options, hostname, address);
          } catch (error) {
            failure = error;
          }
        throw failure;
      };
      attempt().then(
        (socket) => callback(null, socket),
        (error) => callback(error as Error, null),
      );
    };
  }

  private connectTo(
    connect: buildConnector.connector,
    options: buildConnector.Options,
    name: string,
    address: string,
  ): Promise<Socket> {
    const servername = isIP(name.replace(/[[\]]/g, "")) === 0 ? name : "";
    return new Promise((resolve, reject) => {
      connect(
        { ...options, hostname: address, host: address, ...(servername === "" ? {} : { servername }) },
        (error, socket) => {
          if (error !== null) return reject(error);
          const reached = socket?.remoteAddress ?? "";
          if (this.addresses.isAllowed(reached)) return resolve(socket as Socket);
          socket?.destroy();
          reject(new Error("the address is not allowed"));
        },
      );
    });
  }

  private closeIdle(): void {
    for (const [origin, { pool, usedAt }] of this.pools) {
      if (Date.now() - usedAt < idleMilliseconds) continue;
      this.pools.delete(origin);
      pool.close().catch(() => {});
    }
  }

  async close(): Promise<void> {
    clearInterval(this.sweep);
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy().catch(() => {})));
    this.pools.clear();
  }
}
