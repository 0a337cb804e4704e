import type { FastifyReply } from "fastify";
import encodeQR from "qr";
import { Invalid } from "../../base/errors.ts";
import { hasPasskey } from "../../oauth/passkeys/passkey-store.ts";
import { requireSignInAllowed } from "../../oauth/policy/sign-in-admission.ts";
import {
  checkCode,
  continueSetup,
  finishSetup,
  hasSecondFactor,
  type Setup,
  startSetup,
} from "../../oauth/second-factor/second-factor.ts";
import { isTrustedDevice, trustDevice, trustSeconds } from "../../oauth/second-factor/trusted-devices.ts";
import { pickSignInMethod, type SignInCandidate } from "../../oauth/sessions/sign-in.ts";
import { isSecondFactorRequired } from "../../oauth/sign-in-policy.ts";
import { loadRequestFromAddress } from "../consent/prompt-address.ts";
import { readCookie, setCookie } from "../cookies.ts";
import { type Problems, renderField } from "../layout/form-fields.ts";
import { Html, html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { getFormTarget, redirectTo, sendPage } from "../responses.ts";
import type { Visit } from "../visit.ts";
import { mayUsePasskeys, renderPasskeyForm } from "./passkey-step.ts";
import { parseOwnPath } from "./return-to.ts";
import { readStep, signStep } from "./signed-step.ts";
import { describeWait } from "./wait-text.ts";

// The step after the password: a code of the authenticator app, or its set-up where the account demands one.

const trustCookie = "steward_trusted";
const purpose = "second step of signing in";

/** A person who has entered the correct password. */
type Step = { person: SignInCandidate; email: string; returnTo: string | null };
type Finish = (visit: Visit, person: SignInCandidate, returnTo: string | null) => Promise<FastifyReply>;

type MissingStep = "code" | "passkey" | "setup";

/** The missing steps before a session may begin. */
export async function findMissingStep(visit: Visit, { id }: { id: number }): Promise<MissingStep | null> {
  const { oauth } = visit;
  if (await hasSecondFactor(oauth, id))
    return (await isTrustedDevice(oauth, id, readCookie(visit.request, trustCookie, visit.origin))) ? null : "code";
  const person = await oauth.identities.person(id);
  if (person === null || !(await isSecondFactorRequired(oauth, person))) return null;
  return (await hasPasskey(oauth.database, id)) ? "passkey" : "setup";
}

/** Begins the session, or shows the page of the step that is missing. */
export async function continueSignIn(visit: Visit, step: Step, finish: Finish): Promise<FastifyReply> {
  await requireSignInAllowed(visit.oauth, step.person, {
    ...{ method: pickSignInMethod(step.person), address: visit.address },
  });
  const missing = await findMissingStep(visit, step.person);
  if (missing === "code") return showCodeForm(visit, step);
  if (missing === "passkey") return showPasskeyStep(visit, step);
  if (missing === "setup") return showSetupForm(visit, step, startSetup(visit.oauth, step.person, step.email));
  return finish(visit, step.person, step.returnTo);
}

type Shown = { problems?: Problems; status?: number };

async function showCodeForm(visit: Visit, step: Step, { problems = [], status = 200 }: Shown = {}) {
  const body = html`<div class="card">
<h1>Enter your verification code</h1>
<p>Enter the six-digit code from your authenticator app, or a recovery code.</p>
<form method="post" action="/sign_in/code" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="step" value="${signStep(visit, purpose, step)}">
${renderCodeField(problems)}
<label class="check"><input type="checkbox" name="remember" value="yes"> Don't ask again on this device for 30 days</label>
<button>Sign in</button>
</form>
${(await hasPasskey(visit.oauth.database, step.person.id)) && renderPasskeyForm(visit, { step: signStep(visit, purpose, step) })}
<p><a href="/sign_in">Start over</a></p>
</div>`;
  return sendStep(visit, step, "Enter your verification code", body, status);
}

/** For people whose only second factor is a passkey. */
async function showPasskeyStep(visit: Visit, step: Step) {
  const body = html`<div class="card">
<h1>Use your passkey</h1>
<p>Your organization requires two-step verification. Your browser must support passkeys and have JavaScript enabled.</p>
${renderPasskeyForm(visit, { step: signStep(visit, purpose, step) })}
<p><a href="/sign_in">Start over</a></p>
</div>`;
  return sendStep(visit, step, "Use your passkey", body, 200);
}

async function showSetupForm(visit: Visit, step: Step, setup: Setup, { problems = [], status = 200 }: Shown = {}) {
  const body = html`<div class="card">
<h1>Set up two-step verification</h1>
<p>Your organization requires two-step verification. Scan this QR code with an authenticator app on your phone.</p>
<p class="qr">${new Html(encodeQR(setup.uri, "svg", { border: 1 }))}</p>
<p class="hint">Can't scan it? Enter this key in the app instead:<br><code>${setup.key}</code></p>
<form method="post" action="/sign_in/setup" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="step" value="${signStep(visit, purpose, step)}">
<input type="hidden" name="setup" value="${setup.token}">
${renderCodeField(problems)}
<button>Continue</button>
</form>
</div>`;
  return sendStep(visit, step, "Set up two-step verification", body, status);
}

const renderCodeField = (problems: Problems): Html =>
  renderField(problems, {
    name: "code",
    label: "Code",
    type: "text",
    autocomplete: "one-time-code",
    required: true,
    autofocus: true,
  });

/** The codes are shown once; the session begins with the button below them. */
async function showRecoveryCodes(visit: Visit, step: Step, codes: readonly string[]): Promise<FastifyReply> {
  const body = html`<div class="card">
<h1>Save your recovery codes</h1>
<p>If you lose your phone, you can use each code once to sign in. Print them or store them somewhere safe. They won't be shown again.</p>
<pre>${codes.join("\n")}</pre>
<form method="post" action="/sign_in/done" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="step" value="${signStep(visit, `${purpose}, done`, step)}">
<button>I've saved my codes. Sign in</button>
</form>
</div>`;
  return sendStep(visit, step, "Recovery codes", body, 200);
}

/** Signing in may continue to an application; then the form may redirect there. */
async function sendStep(visit: Visit, { returnTo }: Step, title: string, body: Html, status: number) {
  const pending = await loadRequestFromAddress(visit.oauth, returnTo);
  const targets = pending === null ? [] : [getFormTarget(pending.redirect_uri)];
  return sendPage(visit.reply, renderLayout(visit, { title, body, narrow: true }), status, {
    ...{ formTargets: targets, script: mayUsePasskeys(visit) },
  });
}

/** The step that a form carries along; null: none. */
export const readSecondStep = (visit: Visit, form: URLSearchParams): Step | null => parseStep(visit, form.get("step"));

/** Null: the step took too long, or is not ours. */
function parseStep(visit: Visit, token: string | null, wanted = purpose): Step | null {
  const step = readStep<Step>(visit, wanted, token ?? "");
  return step === null ? null : { ...step, returnTo: parseOwnPath(step.returnTo) };
}

export function registerSecondStep({ post }: PageRoutes, finish: Finish): void {
  post("/sign_in/code", async (visit, form) => {
    const step = parseStep(visit, form.get("step"));
    if (step === null) return redirectTo(visit.reply, "/sign_in");
    const check = await checkCode(visit.oauth, step.person, form.get("code") ?? "", visit.address);
    if (check.outcome === "later") {
      const problems: Problems = [["code", `can't be checked right now. ${describeWait(visit, check.until)}`]];
      return showCodeForm(visit, step, { problems, status: 429 });
    }
    if (check.outcome === "wrong")
      return showCodeForm(visit, step, { problems: [["code", "is incorrect"]], status: 422 });
    if (form.get("remember") === "yes") await trustThisDevice(visit, step.person);
    return finish(visit, step.person, step.returnTo);
  });

  post("/sign_in/setup", async (visit, form) => {
    const step = parseStep(visit, form.get("step"));
    // A person who already has a second factor must enter its code: a new one may not replace it here.
    if (step === null || (await findMissingStep(visit, step.person)) !== "setup")
      return redirectTo(visit.reply, "/sign_in");
    const token = form.get("setup") ?? "";
    try {
      const codes = await finishSetup(visit.oauth, step.person, token, form.get("code") ?? "", visit.address);
      return showRecoveryCodes(visit, step, codes);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const { oauth } = visit;
      const setup = continueSetup(oauth, step.person, step.email, token) ?? startSetup(oauth, step.person, step.email);
      return showSetupForm(visit, step, setup, { problems: error.problems, status: 422 });
    }
  });

  post("/sign_in/done", async (visit, form) => {
    const step = parseStep(visit, form.get("step"), `${purpose}, done`);
    return step === null ? redirectTo(visit.reply, "/sign_in") : finish(visit, step.person, step.returnTo);
  });
}

async function trustThisDevice(visit: Visit, person: SignInCandidate): Promise<void> {
  const { oauth } = visit;
  const present = readCookie(visit.request, trustCookie, visit.origin);
  const secret = await oauth.database.transaction(async (tx) => trustDevice(oauth, tx, person, present));
  setCookie(visit, trustCookie, secret, trustSeconds);
}
