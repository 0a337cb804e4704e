import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";

/** The dependencies of every function that sends notifications. */
export type Notifications = {
  engine: Engine;
  log: Log;
  /** signs unsubscribe links */
  secret: string;
  /** the domain of Message-IDs and reply addresses */
  domain: string;
  /** the configured address of the instance, never the Host header of a request */
  origin(): string;
  /** the configured address of an account */
  getAccountUrl(account: string): string;
  /** emails per person and hour; further ones are combined in a digest */
  maxMailsPerHour: number;
  /** whether an SMTP server is configured */
  hasMailServer: boolean;
};
