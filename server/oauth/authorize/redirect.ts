// Redirects back to the application, with the outcome added to the query of the registered URI.

export type RedirectTarget = {
  redirect_uri: string;
  /** as received, still percent-encoded */
  state: string | null;
};

type RedirectError = "invalid_request" | "access_denied" | "server_error" | "temporarily_unavailable";

function buildRedirect({ redirect_uri, state }: RedirectTarget, outcome: Record<string, string>): string {
  const pairs = Object.entries(outcome).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // Repeats the received bytes: decoding and encoding would change bytes that are not UTF-8.
  if (state !== null) pairs.push(`state=${state}`);
  const separator = !redirect_uri.includes("?") ? "?" : /[?&]$/.test(redirect_uri) ? "" : "&";
  return redirect_uri + separator + pairs.join("&");
}

export const buildCodeRedirect = (target: RedirectTarget, code: string): string => buildRedirect(target, { code });
export const buildErrorRedirect = (target: RedirectTarget, error: RedirectError, description: string): string =>
  buildRedirect(target, { error, error_description: description });
