import type { Log } from "../../base/log.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Oauth } from "../context.ts";
import { Identities } from "../identities.ts";
import { PasswordHasher } from "../passwords/passwords.ts";
import { createApplication } from "./applications.ts";
import { createClientPair } from "./client-pairs.ts";
import type { GrantType } from "./clients.ts";

// What the command line needs of this room. Its process lives for one command: nothing is remembered, nobody listens.

function buildOauth({ database, clock, types }: Engine): Oauth {
  const log: Log = { info: () => {}, error: () => {} };
  const identities = new Identities(database, log, clock);
  // Nothing at the command line is signed or derived, so no secret is needed.
  return { database, clock, types, identities, hasher: new PasswordHasher(), log, secret: "" };
}

type NewApplication = {
  account: string;
  name: string;
  grant: GrantType;
  redirectUris: readonly string[];
  /** e-mail address of the person it acts as */
  person?: string | undefined;
  scopes: string;
};

/** An application with its first pair. */
export async function createApplicationWithClientPair(
  engine: Engine,
  { account, name, grant, redirectUris, person, scopes }: NewApplication,
): Promise<{ client_id: string; client_secret: string }> {
  const oauth = buildOauth(engine);
  const nobody = { person: null, address: null };
  const input = { name, grant_type: grant, endpoints: redirectUris, person, scopes };
  const application = await createApplication(oauth, account, nobody, input);
  return createClientPair(oauth, account, application, nobody);
}
