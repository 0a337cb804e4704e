import type { FastifyReply } from "fastify";
import { reportEmergencySignIn } from "../../oauth/providers/enforcement.ts";
import { signInWithProvider } from "../../oauth/providers/provider-sessions.ts";
import { pickSignInMethod, type SignInCandidate, signIn } from "../../oauth/sessions/sign-in.ts";
import { setCookie } from "../cookies.ts";
import { redirectTo } from "../responses.ts";
import { sessionCookie, type Visit } from "../visit.ts";
import { pickReturnPath } from "./return-to.ts";

const monthInSeconds = 30 * 24 * 3600;

/** After all steps: begins the session. */
export async function completeSignIn(
  visit: Visit,
  person: SignInCandidate,
  returnTo: string | null,
  method = pickSignInMethod(person),
): Promise<FastifyReply> {
  const secret =
    person.provider === undefined
      ? await signIn(visit.oauth, person, visit, visit.secret, method)
      : await signInWithProvider(visit.oauth, person, person.provider, visit, visit.secret);
  if (secret === null) return redirectTo(visit.reply, "/sign_in");
  if (person.isEmergency) await reportEmergencySignIn(visit.oauth, person, visit.address);
  setCookie(visit, sessionCookie, secret, monthInSeconds);
  return redirectTo(visit.reply, pickReturnPath(returnTo));
}
