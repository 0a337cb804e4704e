import { ApiError, addIdempotencyKey, type Call, pause, pickPause, readJson, send } from "./call.ts";
import { callSessionApi, getCsrfToken, proveAgain } from "./session.ts";

// Calls of the REST API, with a short-lived token that the session is exchanged for.

let cachedToken: { token: string; session: string; until: number } | null = null;
let pendingToken: Promise<string> | null = null;

/** One exchange serves all calls that wait for it; a token is given up a minute before it ends. */
export function loadBearerToken(): Promise<string> {
  const isOfSession = cachedToken?.session === getCsrfToken();
  if (cachedToken !== null && isOfSession && cachedToken.until > Date.now()) return Promise.resolve(cachedToken.token);
  pendingToken ??= readJson<{ access_token: string; expires_in: number }>(callSessionApi("POST", "/access-token"))
    .then(({ access_token: token, expires_in: seconds }) => {
      cachedToken = { token, session: getCsrfToken(), until: Date.now() + (seconds - 60) * 1000 };
      return token;
    })
    .finally(() => {
      pendingToken = null;
    });
  return pendingToken;
}

type AnsweredCall = (method: string, path: string) => void;
const answered = new Set<AnsweredCall>();
/** Calls the listener for everything that the REST API has done. */
export function onAnsweredCall(listener: AnsweredCall): () => void {
  answered.add(listener);
  return () => void answered.delete(listener);
}

export async function callRest(account: string, wanted: Call, tries = 3, prefix = "/v1"): Promise<Response> {
  const call = addIdempotencyKey(wanted);
  const token = await loadBearerToken();
  const headers = { ...call.headers, Authorization: `Bearer ${token}`, account };
  try {
    const path = call.path.startsWith("/") ? `${prefix}${call.path}` : call.path;
    const response = await send({ ...call, path, headers });
    for (const listener of answered) listener(call.method, call.path);
    return response;
  } catch (error) {
    if (!(error instanceof ApiError) || tries <= 1) throw error;
    // The token may have ended with another session of the same browser.
    if (error.status === 401) {
      // Several calls may hear of it at once: only the token that was refused is given up.
      if (cachedToken?.token === token) cachedToken = null;
      return callRest(account, call, 1, prefix);
    }
    if (await proveAgain(error)) return callRest(account, call, 1, prefix);
    const seconds = pickPause(call, error);
    if (seconds === null) throw error;
    await pause(seconds);
    return callRest(account, call, tries - 1, prefix);
  }
}
