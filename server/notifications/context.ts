import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";

/** What the whole room works with. */
export type Notifications = {
  engine: Engine;
  log: Log;
  /** behind the links that turn mails off */
  secret: string;
  /** of the addresses that mails have */
  domain: string;
  /** our own address; never the name by which some client happened to reach us */
  origin(): string;
  /** how many mails a person gets within an hour; what is more comes together */
  maxMailsPerHour: number;
  /** whether there is a server to send them with */
  hasMailServer: boolean;
};
