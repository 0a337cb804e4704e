import type { FastifyRequest } from "fastify";
import type { Automation } from "../automation/run-rule.ts";
import type { Log } from "../base/log.ts";
import type { Engine } from "../engine/engine.ts";
import type { Identities, Identity } from "../oauth/identities.ts";
import type { ScimTokens } from "./tokens.ts";

/** What the provisioning interface needs of the rest of the service. */
export type Scim = {
  engine: Engine;
  identities: Identities;
  automation: Automation;
  log: Log;
  tokens: ScimTokens;
  /** scheme and host by which clients reach the service */
  getOrigin(request: FastifyRequest): string;
  /** Counts a call of a SCIM token, of a person, or of a stranger; throws when it exceeds a limit. */
  countCall(request: FastifyRequest, caller: { token: number } | Identity | null): Promise<void>;
  parseJson(text: string): Record<string, unknown>;
  /** lets the worker look for jobs at once */
  wake(): void;
};

/** On whose behalf a call changes something: a SCIM token, or a person who is an administrator. */
export type Actor = { account: string; name: string; person: number | null };
