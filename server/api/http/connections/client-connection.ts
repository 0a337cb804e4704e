import type { Socket } from "node:net";
import type { ClientConnection } from "../../../database/database.ts";

// Tells expensive reads that nobody waits for them any more. One listener per socket, because a client may send several
// requests over it before the first is answered.

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
