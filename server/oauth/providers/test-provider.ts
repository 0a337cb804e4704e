import type { Providers } from "./context.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { loadMetadata } from "./provider-metadata.ts";
import { toRefusal } from "./sign-in-flow.ts";

export type ConnectionTest = {
  works: boolean;
  /** why it does not; null: it works */
  problem: string | null;
  authorization_endpoint: string | null;
  signs_out: boolean;
};

/** Asks the provider for its metadata and its keys, past what is kept of them. */
export async function testProvider(providers: Providers, { issuer }: IdentityProvider): Promise<ConnectionTest> {
  try {
    const metadata = await loadMetadata(providers, issuer, { fresh: true });
    const answer = await providers.fetch(metadata.jwks_uri ?? "");
    const { keys } = (answer.ok ? await answer.json().catch(() => ({})) : {}) as { keys?: unknown };
    const hasKeys = Array.isArray(keys) && keys.length > 0;
    return {
      works: hasKeys,
      problem: hasKeys ? null : "the provider has no keys",
      authorization_endpoint: metadata.authorization_endpoint ?? null,
      signs_out: metadata.end_session_endpoint !== undefined,
    };
  } catch (error) {
    return { works: false, problem: toRefusal(error).reason, authorization_endpoint: null, signs_out: false };
  }
}
