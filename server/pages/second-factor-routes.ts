import type { AnswerOf } from "../../records/answers/answer-of.ts";
import { type recoveryCodes, type secondFactor, secondFactorOperations } from "../../records/answers/session.ts";
import { requirePassword } from "../oauth/passwords/require-password.ts";
import {
  finishSetup,
  loadFactorState,
  removeSecondFactor,
  renewRecoveryCodes,
  type Setup,
  startSetup,
} from "../oauth/second-factor/second-factor.ts";
import { forgetDevices } from "../oauth/second-factor/trusted-devices.ts";
import { isSecondFactorRequired } from "../oauth/sign-in-policy.ts";
import type { SignedInVisit } from "./page-routes.ts";
import { toText } from "./parse-parameters.ts";
import { type JsonBody, type SessionHandler, serveSession } from "./session-routes.ts";

// The second factor of the person who is signed in. Changes need the password again.

type RecoveryCodes = AnswerOf<typeof recoveryCodes>;
type Handle<Answer> = (visit: SignedInVisit, body: JsonBody) => Promise<Answer>;

const withPassword =
  <Answer>(handle: Handle<Answer>): SessionHandler<Answer> =>
  async (visit, _params, body) => {
    await requirePassword(visit.oauth, visit.session.person.id, toText(body.current_password));
    return handle(visit, body);
  };

export const secondFactorRoutes = serveSession(secondFactorOperations, {
  "GET /second-factor": loadState,
  "POST /second-factor/setup": withPassword(start),
  "POST /second-factor": (visit, _params, body) => finish(visit, body),
  "POST /second-factor/recovery-codes": withPassword(renewCodes),
  "DELETE /second-factor/devices": forget,
  "POST /second-factor/removal": withPassword(remove),
});

async function loadState(visit: SignedInVisit): Promise<AnswerOf<typeof secondFactor>> {
  const { person } = visit.session;
  const [state, is_required] = await Promise.all([
    loadFactorState(visit.oauth, person.id),
    isSecondFactorRequired(visit.oauth, person),
  ]);
  return {
    is_required,
    enabled_at: state?.created_at ?? null,
    recovery_codes_left: state?.codes ?? 0,
    trusted_devices: state?.devices ?? 0,
  };
}

async function start({ oauth, session }: SignedInVisit): Promise<Setup> {
  return startSetup(oauth, session.person, session.email);
}

async function finish({ oauth, session, address }: SignedInVisit, body: JsonBody): Promise<RecoveryCodes> {
  const { person } = session;
  return { recovery_codes: await finishSetup(oauth, person, toText(body.token), toText(body.code), address) };
}

async function renewCodes({ oauth, session, address }: SignedInVisit): Promise<RecoveryCodes> {
  return { recovery_codes: await renewRecoveryCodes(oauth, session.person, address) };
}

async function forget({ oauth, session }: SignedInVisit): Promise<undefined> {
  await oauth.database.transaction(async (tx) => forgetDevices(tx, session.person.id));
}

async function remove({ oauth, session, address }: SignedInVisit): Promise<undefined> {
  const { person } = session;
  const now = oauth.clock.now().toISOString();
  await oauth.database.transaction((tx) => removeSecondFactor(tx, now, person, { by: person.id, address }));
}
