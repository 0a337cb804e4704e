import { loadPendingAuthorization, type PendingAuthorization } from "../../oauth/authorize/consent.ts";
import type { Oauth } from "../../oauth/oauth-context.ts";
import { looksLikeToken } from "../../oauth/tokens.ts";

// {auth_url}/authorize_application?<one-time token>

export const promptPath = "/oauth/authorize_application";
export const buildPromptAddress = (token: string): string => `${promptPath}?${token}`;

/** The authorization request of a prompt address; null for other addresses. */
export async function loadRequestFromAddress(
  oauth: Oauth,
  address: string | null,
): Promise<PendingAuthorization | null> {
  const [path, token = ""] = (address ?? "").split("?");
  return path === promptPath && looksLikeToken(token) ? loadPendingAuthorization(oauth, token) : null;
}
