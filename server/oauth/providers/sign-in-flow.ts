import * as client from "openid-client";
import { cutToStorable } from "../../base/storable-text.ts";
import { CallRefused, isSecureAddress } from "./guarded-fetch.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { buildClient, clockTolerance, ProviderProblem } from "./provider-metadata.ts";
import { buildCallbackAddress, type Providers } from "./providers-context.ts";

// The authorization code flow with PKCE: to the provider, and back with a code that becomes claims.

/** The state that the browser keeps between the two, in a sealed cookie. */
export type Flow = { provider: number; state: string; nonce: string; verifier: string };

export type ProviderClaims = {
  issuer: string;
  subject: string;
  /** of the ID token, completed by those of the UserInfo endpoint */
  claims: Readonly<Record<string, unknown>>;
  idToken: string;
  sid: string | null;
  acr: string | null;
  amr: readonly string[];
  /** when the person signed in at the provider, in seconds; null: it does not say */
  authTime: number | null;
};

/** `reason`: for the security trail; it never contains a token. */
export class SignInRefused extends Error {
  readonly reason: string;
  readonly subject: string | null;
  constructor(reason: string, subject: string | null = null) {
    super(reason);
    this.reason = reason;
    this.subject = subject === null ? null : cutToStorable(subject, 255);
  }
}

export async function beginFlow(
  providers: Providers,
  provider: IdentityProvider,
  { loginHint, asksAgain = false }: { loginHint: string | null; asksAgain?: boolean },
): Promise<{ flow: Flow; address: URL }> {
  try {
    const configuration = await buildClient(providers, provider);
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: buildCallbackAddress(providers),
      scope: provider.settings.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
      ...(loginHint === null ? {} : { login_hint: loginHint }),
      ...(asksAgain ? { prompt: "login", max_age: "0" } : {}),
    });
    return { flow: { provider: provider.id, state, nonce, verifier }, address };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** `query`: what the provider sent back. Throws SignInRefused. */
export async function finishFlow(
  providers: Providers,
  provider: IdentityProvider,
  flow: Flow,
  query: URLSearchParams,
): Promise<ProviderClaims> {
  try {
    const configuration = await buildClient(providers, provider);
    const current = new URL(buildCallbackAddress(providers));
    current.search = query.toString();
    const tokens = await client.authorizationCodeGrant(configuration, current, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new SignInRefused("no ID token");
    checkIssueTime(providers, claims.iat);
    const more = await loadUserInfo(configuration, tokens.access_token, claims.sub);
    return {
      issuer: provider.issuer,
      subject: claims.sub,
      claims: { ...more, ...claims },
      idToken: tokens.id_token,
      authTime: typeof claims.auth_time === "number" ? claims.auth_time : null,
      sid: toText(claims.sid),
      acr: toText(claims.acr),
      amr: (Array.isArray(claims.amr) ? claims.amr : []).slice(0, 20).map((each) => cutToStorable(String(each), 60)),
    };
  } catch (error) {
    throw toRefusal(error);
  }
}

const toText = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= 500 ? cutToStorable(value, 500) : null;

/** The library checks the end of a token, not that it was issued in the future. */
function checkIssueTime({ oauth }: Providers, issuedAt: number): void {
  if (issuedAt > oauth.clock.now().getTime() / 1000 + clockTolerance)
    throw new SignInRefused("the ID token was issued in the future");
}

/** Many providers put names and addresses there alone. The library refuses an answer about another subject. */
async function loadUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isSecureAddress(configuration.serverMetadata().userinfo_endpoint ?? "")) return {};
  return client.fetchUserInfo(configuration, accessToken, subject);
}

/** The messages of the library are fixed texts; what it received is in `cause`, which is not kept. */
export function toRefusal(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  if (error instanceof client.AuthorizationResponseError)
    return new SignInRefused(`the provider answered ${cutCode(error.error)}`);
  if (error instanceof client.ResponseBodyError)
    return new SignInRefused(`the provider refused the code: ${cutCode(error.error)}`);
  const all = listCauses(error);
  const own = all.find((each) => each instanceof ProviderProblem || each instanceof CallRefused);
  if (own !== undefined) return new SignInRefused(cutToStorable(own.message, 300));
  if (all.some(({ message }) => message === notAllowed)) return new SignInRefused(notAllowed);
  // The innermost error of the library has the sentence that says what was wrong.
  const said = all.findLast((each) => "code" in each && String(each.code).startsWith("OAUTH_"));
  return new SignInRefused(
    said === undefined || said.message === "operation timed out" ? unreachable : cutToStorable(said.message, 200),
  );
}

const notAllowed = "the address is not allowed";
export const unreachable = "the provider cannot be reached";

function listCauses(error: unknown): Error[] {
  const all: Error[] = [];
  for (let each = error; each instanceof Error && all.length < 5; each = each.cause) all.push(each);
  return all;
}

const cutCode = (code: string): string => code.replace(/[^a-z_]/gi, "").slice(0, 60);
