import type { Log } from "../../base/log.ts";
import type { Engine } from "../../engine/engine.ts";
import { Identities } from "../identities.ts";
import type { Oauth } from "../oauth-context.ts";
import { PasswordHasher } from "../passwords/passwords.ts";
import { createApplication } from "./applications.ts";
import { createClientPair } from "./client-pairs.ts";
import type { GrantType } from "./clients.ts";

// For the command line, whose process runs one command: it needs no cache and no listener.

function buildOauth({ database, clock, types }: Engine): Oauth {
  const log: Log = { info: () => {}, error: () => {} };
  const identities = new Identities(database, log, clock);
  // The command line signs and derives nothing, so it needs no secret.
  return { database, clock, types, identities, hasher: new PasswordHasher(), log, secret: "" };
}

type NewApplication = {
  account: string;
  name: string;
  grant: GrantType;
  redirectUris: readonly string[];
  /** email address of the person it acts as */
  person?: string | undefined;
  scopes: string;
};

/** An application with its first pair. */
export async function createApplicationWithClientPair(
  engine: Engine,
  { account, name, grant, redirectUris, person, scopes }: NewApplication,
): Promise<{ client_id: string; client_secret: string }> {
  const oauth = buildOauth(engine);
  const commandLine = { person: null, address: null };
  const input = { name, grant_type: grant, endpoints: redirectUris, person, scopes };
  const application = await createApplication(oauth, account, commandLine, input);
  return createClientPair(oauth, account, application, commandLine);
}
