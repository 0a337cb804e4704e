import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import type { AddressFilter } from "./address-filter.ts";
import type { WebhookOutbox } from "./outbox.ts";

/** What the whole room works with. */
export type Webhooks = {
  engine: Engine;
  log: Log;
  /** of the instance: seals the keys of policies */
  secret: string;
  /** in nodeIDs */
  domain: string;
  addresses: AddressFilter;
  outbox: WebhookOutbox;
  /** our own address; never the name by which some client happened to reach us */
  origin(): string;
};

export const accountUrl = (origin: string, account: string): string => `${origin}/a/${account}`;
