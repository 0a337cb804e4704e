import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import Provider from "oidc-provider";
import { atFileEnd } from "../cleanup.ts";

// A real OpenID provider on its own port. It signs in the person that a test names, without a prompt, and can issue invalid
// ID tokens.

export type Subject = { sub: string } & Record<string, unknown>;
type Claims = Record<string, unknown>;
/** Returns the ID token to issue instead. */
export type Forgery = (claims: Claims, provider: TestProvider) => Promise<string> | string;

export const clientSecret = "the secret of the client, which nobody else knows";

type ProviderKey = { privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]; jwk: JWK };

async function createKey(kid: string): Promise<ProviderKey> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, use: "sig", alg: "ES256" } };
}

export class TestProvider {
  issuer = "";
  key!: ProviderKey;
  forgery: Forgery | null = null;
  /** called paths, in order */
  readonly calls: string[] = [];
  /** responds instead of the provider */
  intercept: RequestListener | null = null;
  private readonly subjects = new Map<string, Subject>();
  private current = "";
  private provider!: Provider;
  private readonly steward: string;
  private rotations = 0;

  constructor(steward: string) {
    this.steward = steward;
  }

  /** Sets the person who signs in next. */
  person(subject: Subject): void {
    this.subjects.set(subject.sub, subject);
    this.current = subject.sub;
  }

  /** Signs with a new key from now on; the old one is withdrawn. */
  async rotateKey(): Promise<void> {
    this.key = await createKey(`key-${++this.rotations}`);
    this.provider = this.build();
  }

  /** Signs an ID token with the provider's key. */
  sign = (claims: Claims, { privateKey, jwk } = this.key): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: String(jwk.kid) }).sign(privateKey);

  handle: RequestListener = (request, response) => {
    this.calls.push((request.url ?? "").split("?")[0] as string);
    if (this.intercept !== null) return this.intercept(request, response);
    if (request.url?.startsWith("/interaction/"))
      return void this.provider.interactionFinished(request, response, { login: { accountId: this.current } });
    return this.provider.callback()(request, response);
  };

  private build(): Provider {
    const { subjects, steward } = this;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: "steward",
          client_secret: clientSecret,
          redirect_uris: [`${steward}/sso/callback`],
          post_logout_redirect_uris: [`${steward}/sign_in`],
          backchannel_logout_uri: `${steward}/sso/back_channel_logout`,
          backchannel_logout_session_required: true,
          id_token_signed_response_alg: "ES256",
        },
      ],
      jwks: { keys: [this.key.jwk] },
      cookies: { keys: ["a key of the tests"] },
      claims: {
        openid: ["sub", "sid"],
        email: ["email", "email_verified"],
        profile: ["name", "jobTitle", "locale", "zoneinfo", "manager", "picture"],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => subjects.get(sub) ?? { sub } }),
      async loadExistingGrant({
        oidc,
      }: {
        oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider };
      }) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    });
    provider.use(async (context, next) => {
      await next();
      const { id_token: token } = context.body ?? {};
      if (this.forgery === null || context.path !== "/token" || typeof token !== "string") return;
      const claims = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString()) as Claims;
      context.body = { ...context.body, id_token: await this.forgery(claims, this) };
    });
    return provider;
  }
}

/** `steward`: the address of the server that uses this provider */
export async function startProvider(steward: string): Promise<TestProvider> {
  const provider = new TestProvider(steward);
  const server = createServer((request, response) => provider.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await provider.rotateKey();
  atFileEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return provider;
}
