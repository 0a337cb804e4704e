import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import type { AddressFilter } from "./address-filter.ts";
import type { WebhookOutbox } from "./outbox.ts";

/** The dependencies of every function that sends webhooks. */
export type Webhooks = {
  engine: Engine;
  log: Log;
  /** the secret of the instance, which seals the keys of policies */
  secret: string;
  /** the domain in nodeIDs */
  domain: string;
  addresses: AddressFilter;
  outbox: WebhookOutbox;
  /** the configured address of the instance, never the Host header of a request */
  origin(): string;
  /** the configured address of an account */
  getAccountUrl(account: string): string;
};
