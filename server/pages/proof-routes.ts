import type { AnswerOf } from "../../records/answers/answer-of.ts";
import { type passkeyChallenge, proofOperations } from "../../records/answers/session.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import {
  checkPasskey,
  finishRegistration,
  startAuthentication,
  startRegistration,
} from "../oauth/passkeys/passkey-ceremony.ts";
import { loadPasskeys, type PasskeyLine, removePasskeys } from "../oauth/passkeys/passkey-store.ts";
import { proveAgain, recordProof, requireRecentProof } from "../oauth/step-up.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { parseIdParameter, toText } from "./parse-parameters.ts";
import { type JsonBody, type SessionHandler, serveSession } from "./session-routes.ts";
import { readStep, signStep } from "./sign-in/signed-step.ts";

// Proving again who one is, and the passkeys of the person who is signed in.

/** D-553: for routes that give access beyond the session. */
export const withRecentProof =
  <Answer>(handle: SessionHandler<Answer>): SessionHandler<Answer> =>
  async (visit, params, body) => {
    await requireRecentProof(visit.oauth, visit.session);
    return handle(visit, params, body);
  };

type PasskeyChallenge = AnswerOf<typeof passkeyChallenge>;

export const proofRoutes = serveSession(proofOperations, {
  "POST /proof": prove,
  "POST /proof/passkey": (visit) => startProof(visit),
  "GET /passkeys": (visit) => loadPasskeys(visit.oauth.database, visit.session.person.id),
  "POST /passkeys/options": withRecentProof((visit) => start(visit)),
  "POST /passkeys": finish,
  "DELETE /passkeys/:id": withRecentProof((visit, params) => remove(visit, params)),
});

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
  // Another person's passkey proves nothing about this person.
  if (passkey?.owner.id !== session.person.id) throw new Forbidden();
  await recordProof(oauth, session, "passkey", address);
}

async function startProof(visit: SignedInVisit): Promise<PasskeyChallenge> {
  const options = await startAuthentication(visit.origin);
  return { options: { ...options }, challenge: signStep(visit, proof, options.challenge) };
}

async function start(visit: SignedInVisit): Promise<PasskeyChallenge> {
  const { oauth, session, origin } = visit;
  const options = await startRegistration(oauth, session.person, session.email, origin);
  return { options: { ...options }, challenge: signStep(visit, registration, options.challenge) };
}

async function finish(visit: SignedInVisit, _params: Params, body: JsonBody): Promise<PasskeyLine> {
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

/** A challenge belongs to the session that requested it, and to its purpose. */
function requireChallenge(visit: SignedInVisit, purpose: string, token: unknown): string {
  const challenge = readStep<string>(visit, purpose, toText(token));
  if (challenge === null) throw new Invalid([["base", "timed out. Start over"]]);
  return challenge;
}
