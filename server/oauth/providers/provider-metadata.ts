import * as client from "openid-client";
import { unsealText } from "../../base/sealed-text.ts";
import { isSecureAddress, timeLimitSeconds } from "./guarded-fetch.ts";
import { type IdentityProvider, secretPurpose } from "./identity-provider.ts";
import type { Providers } from "./providers-context.ts";

// A provider's metadata (OpenID Connect Discovery), cached for an hour. Its keys are not cached: every sign-in fetches
// them, so that a replaced or withdrawn key takes effect immediately (D-542).

const keptMilliseconds = 3600_000;
const maxKept = 500;
/** Clocks of providers may be this many seconds off. */
export const clockTolerance = 60;

export async function loadMetadata(
  providers: Providers,
  issuer: string,
  { fresh = false } = {},
): Promise<client.ServerMetadata> {
  const now = providers.oauth.clock.now().getTime();
  const kept = providers.metadata.get(issuer);
  if (!fresh && kept !== undefined && Math.abs(now - kept.loadedAt) < keptMilliseconds) return kept.metadata;
  const found = await client.discovery(new URL(issuer), "discovery", undefined, client.None(), {
    [client.customFetch]: providers.fetch as client.CustomFetch,
    timeout: timeLimitSeconds,
    // The guarded calls decide: plain HTTP to this machine only.
    execute: [client.allowInsecureRequests],
  });
  const metadata = { ...found.serverMetadata() } as client.ServerMetadata;
  // The library compares addresses, which ignores a slash at the end; tokens have the issuer letter by letter.
  if (metadata.issuer !== issuer) throw new ProviderProblem(`the provider calls itself ${metadata.issuer}`);
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (!isSecureAddress(metadata[name] ?? "")) throw new ProviderProblem(`the provider offers no usable ${name}`);
  if (providers.metadata.size >= maxKept) providers.metadata.clear();
  providers.metadata.set(issuer, { metadata, loadedAt: now });
  return metadata;
}

/** Its message may be shown to administrators. */
export class ProviderProblem extends Error {}

/** The client of the library for one sign-in. */
export async function buildClient(providers: Providers, provider: IdentityProvider): Promise<client.Configuration> {
  const { oauth } = providers;
  const metadata = structuredClone(await loadMetadata(providers, provider.issuer));
  const secret =
    provider.sealed_secret === null
      ? null
      : unsealText(oauth.secret, secretPurpose, provider.account_id, provider.sealed_secret);
  const configuration = new client.Configuration(
    metadata,
    provider.client_id,
    {
      [client.clockTolerance]: clockTolerance,
      [client.clockSkew]: (oauth.clock.now().getTime() - Date.now()) / 1000,
    },
    secret === null ? client.None() : pickAuthentication(metadata, secret),
  );
  configuration[client.customFetch] = providers.fetch as client.CustomFetch;
  configuration.timeout = timeLimitSeconds;
  client.allowInsecureRequests(configuration);
  // Without this the library trusts the connection to the token endpoint and does not look at the signature.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** A provider that does not say what it takes, takes HTTP Basic (OpenID Connect Discovery, section 3). */
const pickAuthentication = (
  { token_endpoint_auth_methods_supported: methods }: client.ServerMetadata,
  secret: string,
): client.ClientAuth =>
  methods?.includes("client_secret_post") ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
