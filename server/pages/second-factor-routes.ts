import { requirePassword } from "../oauth/passwords/require-password.ts";
import {
  finishSetup,
  loadFactorState,
  removeSecondFactor,
  renewRecoveryCodes,
  startSetup,
} from "../oauth/second-factor/second-factor.ts";
import { forgetDevices } from "../oauth/second-factor/trusted-devices.ts";
import { isSecondFactorRequired } from "../oauth/sign-in-policy.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { toText } from "./parse-parameters.ts";
import type { JsonBody, SessionRoute } from "./session-routes.ts";

// The second factor of the person who is signed in. Changes need the password again.

type Handle = (visit: SignedInVisit, body: JsonBody) => Promise<unknown>;

const withPassword =
  (handle: Handle) =>
  async (visit: SignedInVisit, _params: Params, body: JsonBody): Promise<unknown> => {
    await requirePassword(visit.oauth, visit.session.person.id, toText(body.current_password));
    return handle(visit, body);
  };

// biome-ignore format: a table keeps its columns
export const secondFactorRoutes: readonly SessionRoute[] = [
  { method: "GET",    path: "/second-factor",                             handle: loadState },
  { method: "POST",   path: "/second-factor/setup",                       handle: withPassword(start) },
  { method: "POST",   path: "/second-factor",               status: 201,  handle: (visit, _params, body) => finish(visit, body) },
  { method: "POST",   path: "/second-factor/recovery-codes", status: 201, handle: withPassword(renewCodes) },
  { method: "DELETE", path: "/second-factor/devices",                     handle: forget },
  { method: "POST",   path: "/second-factor/removal",                     handle: withPassword(remove) },
];

async function loadState(visit: SignedInVisit): Promise<unknown> {
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

async function start({ oauth, session }: SignedInVisit): Promise<unknown> {
  return startSetup(oauth, session.person, session.email);
}

async function finish({ oauth, session, address }: SignedInVisit, body: JsonBody): Promise<unknown> {
  const { person } = session;
  return { recovery_codes: await finishSetup(oauth, person, toText(body.token), toText(body.code), address) };
}

async function renewCodes({ oauth, session, address }: SignedInVisit): Promise<unknown> {
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
