import type { FastifyRequest } from "fastify";
import type { Automation } from "../automation/run-rule.ts";
import type { Log } from "../base/log.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identities, Identity } from "../oauth/identities.ts";
import type { ScimTokens } from "./tokens.ts";

/** The services that the provisioning interface needs. */
export type Scim = {
  engine: Engine;
  identities: Identities;
  automation: Automation;
  log: Log;
  tokens: ScimTokens;
  /** scheme and host by which clients reach the service */
  getOrigin(request: FastifyRequest): string;
  /** The person whose token a call has, as for every other interface; null: it has none that is valid. */
  identify(request: FastifyRequest): Promise<Identity | null>;
  /** The person in the account of the call; throws Forbidden where they may not work, or not from their network. */
  resolveCaller(request: FastifyRequest, identity: Identity): Promise<Caller>;
  /** Throws Forbidden when the account does not allow API clients in the network of the call. */
  requireAllowedNetwork(request: FastifyRequest, account: string): Promise<void>;
  /** Counts a call of a SCIM token, of a person, or of a stranger; throws when it exceeds a limit. */
  countCall(request: FastifyRequest, caller: { token: number } | Identity | null): Promise<void>;
  parseJson(text: string): Record<string, unknown>;
  /** makes the worker poll immediately */
  wake(): void;
};

/** On whose behalf a call changes something: a SCIM token, or a person who is an administrator. */
export type Actor = { account: string; name: string; person: number | null };
