import type { FastifyInstance } from "fastify";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { signInState } from "../../../records/answers/session.ts";
import { Forbidden, Invalid, TooManyRequests } from "../../base/errors.ts";
import { keepPasswordPeople } from "../../oauth/providers/enforcement.ts";
import { checkCode } from "../../oauth/second-factor/second-factor.ts";
import { checkPassword, type SignInCandidate, signIn } from "../../oauth/sessions/sign-in.ts";
import { setCookie } from "../cookies.ts";
import { parseJsonBody } from "../form-body.ts";
import { toText } from "../parse-parameters.ts";
import { setPageHeaders } from "../responses.ts";
import { loadVisit, type PagesContext, requireCsrfToken, sessionCookie, type Visit } from "../visit.ts";
import { readKnownDevice, rememberDevice } from "./known-device.ts";
import { findMissingStep } from "./second-step.ts";

// D-280: a page whose session has ended asks for the password in place and continues with what is typed. The checks, the
// delays and the security trail are those of the sign-in page.

const monthInSeconds = 30 * 24 * 3600;

export function registerSignInAgain(pages: PagesContext, app: FastifyInstance): void {
  app.get("/session-api/sign-in", async (request, reply) => {
    setPageHeaders(reply);
    const visit = await loadVisit(pages, request, reply);
    const state: AnswerOf<typeof signInState> = { csrf_token: visit.csrf, is_signed_in: visit.session !== null };
    return reply.send(state);
  });

  app.post("/session-api/sign-in", async (request, reply) => {
    setPageHeaders(reply);
    const visit = await loadVisit(pages, request, reply);
    requireCsrfToken(visit, request.headers["x-csrf-token"] as string | undefined);
    const body = parseJsonBody(request);
    const [email, password] = [toText(body.email), toText(body.password)];
    const attempt = await checkPassword(visit.oauth, {
      ...{ email, password, address: visit.address },
      device: readKnownDevice(visit),
    });
    if (attempt.outcome === "later") throw tellToWait(visit, attempt.until);
    if (attempt.outcome === "wrong") throw new Invalid([["password", "is incorrect"]]);
    // The content of the page belongs to one person; no one else may continue with it.
    const person = attempt.people.find(({ id }) => id === body.person_id);
    if (person === undefined) throw new Forbidden();
    if ((await keepPasswordPeople(visit.oauth, [person])).length === 0)
      throw new Invalid([["password", "isn't enough here. Use the sign-in page instead"]]);
    await requireSecondStep(visit, person, toText(body.code));
    rememberDevice(visit, [person]);
    setCookie(visit, sessionCookie, await signIn(visit.oauth, person, visit, visit.secret), monthInSeconds);
    return reply.code(204).send();
  });
}

const tellToWait = ({ oauth }: Visit, until: Date): TooManyRequests =>
  new TooManyRequests(Math.max(1, Math.ceil((until.getTime() - oauth.clock.now().getTime()) / 1000)));

/** The page asks for the code once the response says that one is missing. */
async function requireSecondStep(visit: Visit, person: SignInCandidate, code: string): Promise<void> {
  const missing = await findMissingStep(visit, person);
  if (missing === null) return;
  if (missing !== "code") throw new Invalid([["password", "isn't enough here. Use the sign-in page instead"]]);
  if (code.trim() === "") throw new Invalid([["code", "can't be blank"]]);
  const check = await checkCode(visit.oauth, person, code, visit.address);
  if (check.outcome === "later") throw tellToWait(visit, check.until);
  if (check.outcome === "wrong") throw new Invalid([["code", "is incorrect"]]);
}
