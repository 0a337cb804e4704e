import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import {
  checkPasskey,
  finishRegistration,
  startAuthentication,
  startRegistration,
} from "../oauth/passkeys/passkey-ceremony.ts";
import { loadPasskeys, removePasskeys } from "../oauth/passkeys/passkey-store.ts";
import { proveAgain, recordProof, requireRecentProof } from "../oauth/step-up.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { parseIdParameter, toText } from "./parse-parameters.ts";
import type { JsonBody, SessionRoute } from "./session-routes.ts";
import { readStep, signStep } from "./sign-in/signed-step.ts";

// Proving again who one is, and the passkeys of the person who is signed in.

type Handle = SessionRoute["handle"];

/** D-553: for routes that give access beyond the session. */
export const withRecentProof =
  (handle: Handle): Handle =>
  async (visit, params, body) => {
    await requireRecentProof(visit.oauth, visit.session);
    return handle(visit, params, body);
  };

// biome-ignore format: a table keeps its columns
export const proofRoutes: readonly SessionRoute[] = [
  { method: "POST",   path: "/proof",                         handle: prove },
  { method: "POST",   path: "/proof/passkey",                 handle: (visit) => startProof(visit) },
  { method: "GET",    path: "/passkeys",                      handle: (visit) => loadPasskeys(visit.oauth.database, visit.session.person.id) },
  { method: "POST",   path: "/passkeys/options",              handle: withRecentProof((visit) => start(visit)) },
  { method: "POST",   path: "/passkeys",        status: 201,  handle: finish },
  { method: "DELETE", path: "/passkeys/:id",                  handle: withRecentProof((visit, params) => remove(visit, params)) },
];

const [registration, proof] = ["registration of a passkey", "proof by passkey"];

async function prove(visit: SignedInVisit, _params: Params, body: JsonBody): Promise<undefined> {
  const { oauth, session, origin, address } = visit;
  if (body.passkey === undefined)
    return void (await proveAgain(
      oauth,
      session,
      { password: toText(body.current_password), code: toText(body.code) },
      address,
    ));
  const challenge = requireChallenge(visit, proof, body.challenge);
  const passkey = await checkPasskey(oauth, { challenge, response: body.passkey, origin, address });
  // Somebody else's passkey proves nothing about this person.
  if (passkey?.owner.id !== session.person.id) throw new Forbidden();
  await recordProof(oauth, session, "passkey", address);
}

async function startProof(visit: SignedInVisit): Promise<unknown> {
  const options = await startAuthentication(visit.origin);
  return { options, challenge: signStep(visit, proof, options.challenge) };
}

async function start(visit: SignedInVisit): Promise<unknown> {
  const { oauth, session, origin } = visit;
  const options = await startRegistration(oauth, session.person, session.email, origin);
  return { options, challenge: signStep(visit, registration, options.challenge) };
}

async function finish(visit: SignedInVisit, _params: Params, body: JsonBody): Promise<unknown> {
  const { oauth, session, origin, address } = visit;
  const challenge = requireChallenge(visit, registration, body.challenge);
  const answer = { challenge, response: body.passkey, origin, address };
  return finishRegistration(oauth, session.person, toText(body.name), answer);
}

async function remove({ oauth, session, address }: SignedInVisit, params: Params): Promise<undefined> {
  const { person } = session;
  const id = parseIdParameter(params);
  const now = oauth.clock.now().toISOString();
  const by = { by: person.id, address };
  if (!(await oauth.database.transaction((tx) => removePasskeys(tx, now, person, id, by)))) throw new NotFound();
}

/** A challenge belongs to the session that asked for it, and to what it was asked for. */
function requireChallenge(visit: SignedInVisit, purpose: string, token: unknown): string {
  const challenge = readStep<string>(visit, purpose, toText(token));
  if (challenge === null) throw new Invalid([["base", "that took too long: begin again"]]);
  return challenge;
}
