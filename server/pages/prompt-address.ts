import { type Pending, pendingRequest } from "../oauth/consent.ts";
import type { Oauth } from "../oauth/context.ts";
import { looksLikeToken } from "../oauth/tokens.ts";

// {auth_url}/authorize_application?<one-time token>

export const promptPath = "/oauth/authorize_application";
export const promptAddress = (token: string): string => `${promptPath}?${token}`;

/** The authorization request that an address of ours leads to, if it does. */
export async function requestIn(oauth: Oauth, address: string | null): Promise<Pending | null> {
  const [path, token = ""] = (address ?? "").split("?");
  return path === promptPath && looksLikeToken(token) ? pendingRequest(oauth, token) : null;
}
