import { ApiError, addIdempotencyKey, type Call, pause, pickPause, send } from "./call.ts";
import { dropBearerToken, loadBearerToken, reauthenticate } from "./session.ts";

// Calls of the REST API, with a short-lived token obtained for the session.

type AnsweredCall = (method: string, path: string) => void;
const answered = new Set<AnsweredCall>();
/** Calls the listener after every successful call of the REST API. */
export function onAnsweredCall(listener: AnsweredCall): () => void {
  answered.add(listener);
  return () => void answered.delete(listener);
}

export async function callRest(account: string, wanted: Call, tries = 3, prefix = "/v1"): Promise<Response> {
  const call = addIdempotencyKey(wanted);
  const token = await loadBearerToken(call.keepalive);
  const headers = { ...call.headers, Authorization: `Bearer ${token}`, account };
  try {
    const path = call.path.startsWith("/") ? `${prefix}${call.path}` : call.path;
    const response = await send({ ...call, path, headers });
    for (const listener of answered) listener(call.method, call.path);
    return response;
  } catch (error) {
    if (!(error instanceof ApiError) || tries <= 1) throw error;
    // The token may have been revoked when another session of the same browser ended.
    if (error.status === 401) {
      dropBearerToken(token);
      return callRest(account, call, 1, prefix);
    }
    if (await reauthenticate(error)) return callRest(account, call, 1, prefix);
    const seconds = pickPause(call, error);
    if (seconds === null) throw error;
    await pause(seconds);
    return callRest(account, call, tries - 1, prefix);
  }
}
