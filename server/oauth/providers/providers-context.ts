import type { ServerMetadata } from "openid-client";
import type { Engine } from "../../engine/engine.ts";
import type { AddressFilter } from "../../webhooks/address-filter.ts";
import { ConnectionPools } from "../../webhooks/connection-pools.ts";
import type { Oauth } from "../oauth-context.ts";
import { createGuardedFetch, type GuardedFetch } from "./guarded-fetch.ts";

export type CachedMetadata = { metadata: ServerMetadata; loadedAt: number };

/** The dependencies of every function that signs people in with an identity provider. */
export type Providers = {
  oauth: Oauth;
  engine: Engine;
  addresses: AddressFilter;
  /** calls of providers, with the address filter of webhooks */
  fetch: GuardedFetch;
  /** what providers say about themselves, by issuer */
  metadata: Map<string, CachedMetadata>;
  /** the configured address of the instance, never the Host header of a request */
  origin(): string;
  close(): Promise<void>;
};

export function createProviders(
  oauth: Oauth,
  engine: Engine,
  addresses: AddressFilter,
  origin: () => string,
): Providers {
  const connections = new ConnectionPools(addresses);
  return {
    ...{ oauth, engine, addresses, origin },
    fetch: createGuardedFetch(connections),
    metadata: new Map(),
    close: () => connections.close(),
  };
}

/** One address for all providers: it is registered with each of them, letter by letter. */
export const buildCallbackAddress = ({ origin }: Pick<Providers, "origin">): string => `${origin()}/sso/callback`;
