// The way back to the application, with the outcome in the query. What the registered address has in its query stays.

export type RedirectTarget = {
  redirect_uri: string /** as it was received, still percent-encoded */;
  state: string | null;
};

type RedirectError = "invalid_request" | "access_denied" | "server_error" | "temporarily_unavailable";

function buildRedirect({ redirect_uri, state }: RedirectTarget, outcome: Record<string, string>): string {
  const pairs = Object.entries(outcome).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // The very bytes that came in: decoding and encoding again would change what is not UTF-8.
  if (state !== null) pairs.push(`state=${state}`);
  const joint = !redirect_uri.includes("?") ? "?" : /[?&]$/.test(redirect_uri) ? "" : "&";
  return redirect_uri + joint + pairs.join("&");
}

export const buildCodeRedirect = (way: RedirectTarget, code: string): string => buildRedirect(way, { code });
export const buildErrorRedirect = (way: RedirectTarget, error: RedirectError, description: string): string =>
  buildRedirect(way, { error, error_description: description });
