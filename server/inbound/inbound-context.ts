import type { Configuration } from "../base/configuration.ts";
import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import type { FileStore } from "../files/index.ts";

/** The dependencies of every function that handles inbound mail. */
export type Inbox = {
  engine: Engine;
  log: Log;
  files: FileStore;
  /** the domain of this instance, as in nodeIDs */
  domain: string;
  settings: Configuration["inboundMail"];
  /** the sender address of our own emails */
  ownSender: string | null;
  /** runs the job of a stored email immediately instead of at the next poll */
  wake(): void;
};
