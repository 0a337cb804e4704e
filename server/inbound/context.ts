import type { Configuration } from "../base/configuration.ts";
import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import type { FileStore } from "../storage/files/index.ts";

/** What everything about inbound mail works with. */
export type Inbox = {
  engine: Engine;
  log: Log;
  files: FileStore;
  /** of this instance, as in nodeIDs */
  domain: string;
  settings: Configuration["inboundMail"];
  /** the address our own mails come from */
  ownSender: string | null;
  /** a mail was stored: no need to wait for the next look at the jobs */
  wake(): void;
};
