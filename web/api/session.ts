import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { accessToken, signInState, whoAmI } from "../../records/answers/session.ts";
import { ApiError, addIdempotencyKey, readJson, send } from "./call.ts";

// The browser session: the signed-in person, calls that REST doesn't offer, and signing in again after the session has
// ended.

export type WhoAmI = AnswerOf<typeof whoAmI>;
type AccessToken = Pick<AnswerOf<typeof accessToken>, "access_token" | "expires_in">;
type SignInState = AnswerOf<typeof signInState>;

let csrf = "";
/** Identifies the session. Anything created for another session is invalid. */
export const getCsrfToken = (): string => csrf;

/** Resolves when the person has signed in again; set by the page that can ask for the password. */
let askForSession: (() => Promise<void>) | null = null;
export const askForSessionBy = (ask: () => Promise<void>): void => {
  askForSession = ask;
};

/** Resolves when the person has reauthenticated; set by pages that can ask. */
type AskForProof = (refusal: ApiError) => Promise<void>;
let askForProof: AskForProof | null = null;
export const askForProofBy = (ask: AskForProof | null): void => {
  askForProof = ask;
};

/** Asks the person to reauthenticate. Returns false if the call failed for another reason. */
export async function reauthenticate(refusal: ApiError): Promise<boolean> {
  if (!refusal.proof || !askForProof) return false;
  await askForProof(refusal);
  return true;
}

const sendWithSession = (method: string, path: string, body?: unknown, keepalive = false): Promise<Response> => {
  const headers: Record<string, string> = method === "GET" ? {} : { "X-CSRF-Token": csrf };
  return send(addIdempotencyKey({ method, path: `/session-api${path}`, headers, body, keepalive }));
};

/** A call that finds the session ended waits for the next one and is then repeated. */
export async function callSessionApi(
  method: string,
  path: string,
  body?: unknown,
  keepalive = false,
): Promise<Response> {
  const before = csrf;
  try {
    return await sendWithSession(method, path, body, keepalive);
  } catch (error) {
    // Until the signed-in person is known, the sign-in page asks for credentials.
    if (!(error instanceof ApiError) || csrf === "" || keepalive) throw error;
    if (await reauthenticate(error)) return sendWithSession(method, path, body, keepalive);
    // A 401 that arrives after the next session has begun refers to the previous one.
    const isCurrent = csrf === before;
    if (error.status === 401 && isCurrent && askForSession !== null) await askForSession();
    // Another tab has signed in again: forms need the CSRF token of that session.
    else if (error.status === 403 && isCurrent && method !== "GET") await loadWhoAmI();
    if (csrf === before) throw error;
    return sendWithSession(method, path, body, keepalive);
  }
}

async function readWhoAmI(response: Promise<Response>): Promise<WhoAmI> {
  const answer = await readJson<WhoAmI>(response);
  csrf = answer.csrf_token;
  keepToken(answer);
  return answer;
}
const loadWhoAmI = (): Promise<WhoAmI> => readWhoAmI(sendWithSession("GET", "/me"));

let bearer: { token: string; until: number } | null = null;
let pendingToken: Promise<string> | null = null;

function keepToken({ access_token: token, expires_in: seconds }: AccessToken): string {
  bearer = { token, until: Date.now() + seconds * 1000 };
  return token;
}

/**
 * A short-lived token for the REST API. All waiting calls share one exchange. A token is replaced a minute before it
 * expires, unless the page is being closed and can't wait for the next one.
 */
export function loadBearerToken(isLeaving = false): Promise<string> {
  if (bearer !== null && bearer.until > Date.now() + (isLeaving ? 0 : 60_000)) return Promise.resolve(bearer.token);
  pendingToken ??= readJson<AccessToken>(callSessionApi("POST", "/access-token", undefined, isLeaving))
    .then(keepToken)
    .finally(() => {
      pendingToken = null;
    });
  return pendingToken;
}

/** Several calls may find at the same time that a token has expired: only the refused one is dropped. */
export function dropBearerToken(refused: string): void {
  if (bearer?.token === refused) bearer = null;
}

export const sessionApi = {
  whoAmI: (): Promise<WhoAmI> => readWhoAmI(callSessionApi("GET", "/me")),
  /** The id of the person signed in now; null: the browser has no session. */
  async resume(): Promise<number | null> {
    const { is_signed_in } = await readJson<SignInState>(sendWithSession("GET", "/sign-in"));
    return is_signed_in ? (await loadWhoAmI()).person.id : null;
  },
  /** Signs in again with the password after the session has ended; returns the person signed in then. */
  async signInAgain(wanted: { person_id: number; email: string; password: string; code?: string }): Promise<number> {
    const { csrf_token, is_signed_in } = await readJson<SignInState>(sendWithSession("GET", "/sign-in"));
    const headers = { "X-CSRF-Token": csrf_token };
    if (!is_signed_in) await send({ method: "POST", path: "/session-api/sign-in", headers, body: wanted });
    return (await loadWhoAmI()).person.id;
  },
  signOut: () => callSessionApi("DELETE", "/session"),
};
