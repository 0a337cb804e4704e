import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { connectionTest } from "../../../records/answers/identity-providers.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { loadMetadata } from "./provider-metadata.ts";
import type { Providers } from "./providers-context.ts";
import { toRefusal } from "./sign-in-flow.ts";

export type ConnectionTest = AnswerOf<typeof connectionTest>;

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
