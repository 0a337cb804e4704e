import type { Socket } from "node:net";
import type { ClientConnection } from "../../../database/database.ts";

// Notifies expensive reads when their client has disconnected. One listener per socket, because a client may send several
// requests over it before the first response.

const waiting = new WeakMap<Socket, Set<() => void>>();

export const watchClient = (socket: Socket): ClientConnection => ({
  isGone: () => socket.destroyed,
  onGone(act) {
    let acts = waiting.get(socket);
    if (acts === undefined) {
      const all = new Set<() => void>();
      waiting.set(socket, all);
      socket.once("close", () => {
        for (const each of all) each();
      });
      acts = all;
    }
    acts.add(act);
    return () => acts.delete(act);
  },
});
