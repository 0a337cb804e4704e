import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

// A proxy in front of the database. Disconnecting it makes the database unavailable and cuts all connections.

export type DatabaseProxy = { url: string; disconnect(): void; reconnect(): void; close(): void };

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const from = new URL(databaseUrl.replace("@/", "@localhost/"));
  const folder = from.searchParams.get("host");
  const target =
    folder === null ? { host: from.hostname, port: Number(from.port) } : { path: `${folder}/.s.PGSQL.5432` };
  const passing = new Set<Socket>();
  let isOpen = true;
  const gate = createServer((socket) => {
    if (!isOpen) return socket.destroy();
    const beyond = connect(target as { port: number });
    for (const end of [socket, beyond]) {
      passing.add(end.on("error", () => {}));
      end.on("close", () => {
        socket.destroy();
        beyond.destroy();
        passing.delete(end);
      });
    }
    return socket.pipe(beyond).pipe(socket);
  });
  await once(gate.listen(0, "127.0.0.1"), "listening");
  const { port } = gate.address() as AddressInfo;
  const shut = () => {
    isOpen = false;
    for (const socket of passing) socket.destroy();
  };
  return {
    url: `postgres://${from.username}:${from.password}@127.0.0.1:${port}${from.pathname}?sslmode=disable`,
    disconnect: shut,
    reconnect: () => {
      isOpen = true;
    },
    close: () => {
      shut();
      gate.close();
    },
  };
}
