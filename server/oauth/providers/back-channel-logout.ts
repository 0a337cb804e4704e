import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { BadRequest } from "../../base/errors.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { clockTolerance, loadMetadata } from "./provider-metadata.ts";
import { endProviderSessions } from "./provider-sessions.ts";
import { findProvidersOfIssuer } from "./providers.ts";
import type { Providers } from "./providers-context.ts";

// OpenID Connect Back-Channel Logout 1.0: the provider notifies the server that a person has signed out there. A replayed
// token ends nothing more, so none are stored.

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
const maxLength = 16_384;
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Returns how many sessions ended. Everything that is wrong is the same 400. */
export async function handleLogoutToken(providers: Providers, token: string, address: string): Promise<number> {
  const refused = new BadRequest("The logout token is not valid");
  const { oauth } = providers;
  try {
    if (token === "" || token.length > maxLength) throw refused;
    const { iss = "", aud = [] } = decodeJwt(token);
    const audience = [aud].flat();
    const known = (isStorable(iss) ? await findProvidersOfIssuer(oauth, iss) : []).filter(({ client_id }) =>
      audience.includes(client_id),
    );
    const [provider] = known;
    if (provider === undefined) throw refused;
    const { jwks_uri: keysAddress = "" } = await loadMetadata(providers, iss);
    const keys = (await (await providers.fetch(keysAddress)).json()) as JSONWebKeySet;
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: iss,
      audience: provider.client_id,
      algorithms,
      clockTolerance,
      currentDate: oauth.clock.now(),
      requiredClaims: ["iat", "jti", "events"],
      maxTokenAge: 600,
    });
    const events = payload.events as Record<string, unknown> | null;
    if (typeof events !== "object" || events === null || !Object.hasOwn(events, logoutEvent)) throw refused;
    const sid = typeof payload.sid === "string" && isStorable(payload.sid) ? payload.sid : null;
    const subject = typeof payload.sub === "string" && isStorable(payload.sub) ? payload.sub : null;
    // A nonce would make an ID token of it.
    if ("nonce" in payload || (sid === null && subject === null)) throw refused;
    const ids = known.filter(({ client_id }) => client_id === provider.client_id).map(({ id }) => id);
    return await endProviderSessions(oauth, ids, { subject, sid }, address);
  } catch (error) {
    oauth.log.info("logout token refused", { reason: error instanceof Error ? error.message.slice(0, 200) : "" });
    throw refused;
  }
}
