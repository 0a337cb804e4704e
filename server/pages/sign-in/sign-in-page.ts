import type { FastifyReply } from "fastify";
import { SessionRefused } from "../../oauth/policy/sign-in-admission.ts";
import { keepPasswordPeople, loadEnforcedProviders } from "../../oauth/providers/enforcement.ts";
import { endSession } from "../../oauth/sessions/sessions.ts";
import { checkPassword, type SignInCandidate } from "../../oauth/sessions/sign-in.ts";
import { loadRequestFromAddress } from "../consent/prompt-address.ts";
import { clearCookie } from "../cookies.ts";
import { renderAlert, renderField } from "../layout/form-fields.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderButton, renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { renderDemandedProviders, renderProviderChoices } from "../providers/provider-choices.ts";
import { keepProviderSignOut, renderProviderSignOut } from "../providers/sign-out-pages.ts";
import { getFormTarget, redirectTo, sendPage } from "../responses.ts";
import { sessionCookie, type Visit } from "../visit.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { renderDemoPeople } from "./demo-sign-in.ts";
import { readKnownDevice, rememberDevice } from "./known-device.ts";
import { mayUsePasskeys, readPasskeyForm, registerPasskeyChallenge, renderPasskeyForm } from "./passkey-step.ts";
import { parseOwnPath, pickReturnPath } from "./return-to.ts";
import { continueSignIn, readSecondStep, registerSecondStep } from "./second-step.ts";
import { readStep, signStep } from "./signed-step.ts";
import { describeWait } from "./wait-text.ts";

type SignInForm = { status?: number; email?: string; returnTo: string | null; problem?: HtmlPart; notice?: HtmlPart };

async function showSignIn(visit: Visit, form: SignInForm): Promise<FastifyReply> {
  const { status = 200, email = "", returnTo, problem, notice } = form;
  // Sign-in may continue to an application; then the form may redirect there.
  const pending = await loadRequestFromAddress(visit.oauth, returnTo);
  const body = html`<div class="sign-in">
<p class="sign">Steward</p>
<h1>Sign in</h1>
${pending !== null && html`<p>to continue to <strong>${pending.name}</strong></p>`}
${problem !== undefined && renderAlert(problem)}
<form method="post" action="/sign_in" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="return_to" value="${returnTo ?? ""}">
${renderField([], { name: "email", label: "Email address", type: "email", value: email, autocomplete: "username", required: true, autofocus: email === "" })}
${renderField([], { name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, autofocus: email !== "", beside: forgotten })}
<button>Sign in</button>
</form>
${renderPasskeyForm(visit, { return_to: returnTo ?? "" })}
${await renderProviderChoices(visit, returnTo)}
${await renderDemoPeople(visit, returnTo)}
</div>`;
  const targets = pending === null ? [] : [getFormTarget(pending.redirect_uri)];
  return sendPage(
    visit.reply,
    renderLayout(visit, { title: "Sign in", body, split: true, notice: notice ?? null }),
    status,
    { formTargets: targets, script: mayUsePasskeys(visit) },
  );
}

const forgotten = html`<a href="/password_reset">Forgot password?</a>`;

/** The people whose password matched, so that choosing an account does not need the password again. */
type AccountChoice = { people: readonly SignInCandidate[]; email: string };
const choicePurpose = "choice of account";

async function showAccountChoice(visit: Visit, choice: AccountChoice, returnTo: string | null): Promise<FastifyReply> {
  const pending = await loadRequestFromAddress(visit.oauth, returnTo);
  const choices = choice.people.map(
    ({ account, accountName }, index) =>
      html`<label class="check"><input type="radio" name="account" value="${account}" required${index === 0 && html` checked`}> ${accountName}</label>`,
  );
  const body = html`<div class="card">
<h1>Choose an account</h1>
<p>Your email address belongs to more than one account.</p>
<form method="post" action="/sign_in" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="return_to" value="${returnTo ?? ""}">
<input type="hidden" name="choice" value="${signStep(visit, choicePurpose, choice)}">
<fieldset class="field"><legend>Account</legend><div class="choices">${choices}</div></fieldset>
<button>Continue</button>
</form>
</div>`;
  const targets = pending === null ? [] : [getFormTarget(pending.redirect_uri)];
  return sendPage(visit.reply, renderLayout(visit, { title: "Choose an account", body, narrow: true }), 200, {
    formTargets: targets,
  });
}

/** The form says why the account of the person refuses. */
async function continueOrExplain(visit: Visit, person: SignInCandidate, email: string, returnTo: string | null) {
  try {
    return await continueSignIn(visit, { person, email, returnTo }, completeSignIn);
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error;
    return showSignIn(visit, { status: 403, email, returnTo, problem: error.message });
  }
}

async function showDemandedProviders(visit: Visit, people: readonly SignInCandidate[], form: SignInForm) {
  const accounts = people.map(({ account }) => account);
  const problem = renderDemandedProviders(await loadEnforcedProviders(visit.oauth, accounts), form.returnTo);
  return showSignIn(visit, { ...form, status: 403, problem });
}

export function registerSignInPages(routes: PageRoutes): void {
  const { get, post, postSignedIn } = routes;
  registerSecondStep(routes, completeSignIn);
  registerPasskeyChallenge(routes);

  get("/sign_in", async (visit) => {
    const returnTo = parseOwnPath(visit.query.get("return_to"));
    if (visit.session !== null) return redirectTo(visit.reply, pickReturnPath(returnTo));
    const notice =
      visit.query.get("done") === "password"
        ? "Your password was changed. Sign in with your new password."
        : await renderProviderSignOut(visit);
    return showSignIn(visit, { returnTo, notice });
  });

  post("/sign_in", async (visit, form) => {
    const returnTo = parseOwnPath(form.get("return_to"));
    const choice = form.get("choice");
    if (choice !== null) {
      const { people = [], email = "" } = readStep<AccountChoice>(visit, choicePurpose, choice) ?? {};
      const person = people.find(({ account }) => account === form.get("account"));
      if (person !== undefined) return continueOrExplain(visit, person, email, returnTo);
      return showSignIn(visit, { status: 422, returnTo, problem: "Your session timed out. Sign in again." });
    }
    const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
    const device = readKnownDevice(visit);
    const attempt = await checkPassword(visit.oauth, { email, password, address: visit.address, device });
    if (attempt.outcome === "later") {
      const wait = describeWait(visit, attempt.until);
      return showSignIn(visit, { status: 429, email, returnTo, problem: `Too many failed attempts. ${wait}` });
    }
    if (attempt.outcome === "wrong")
      return showSignIn(visit, {
        status: 422,
        email,
        returnTo,
        problem: "Incorrect email address or password.",
      });
    rememberDevice(visit, attempt.people);
    const [person, ...others] = await keepPasswordPeople(visit.oauth, attempt.people);
    if (person === undefined) return showDemandedProviders(visit, attempt.people, { email, returnTo });
    return others.length === 0
      ? continueOrExplain(visit, person, email, returnTo)
      : showAccountChoice(visit, { people: [person, ...others], email }, returnTo);
  });

  // A passkey is both factors in one; after the password it is the second one.
  post("/sign_in/passkey", async (visit, form) => {
    const returnTo = parseOwnPath(form.get("return_to"));
    const passkey = await readPasskeyForm(visit, form);
    const step = readSecondStep(visit, form);
    if (passkey === null || (step !== null && step.person.id !== passkey.owner.id))
      return showSignIn(visit, {
        status: 422,
        returnTo,
        problem: "That passkey wasn't accepted. Try again or sign in another way.",
      });
    if (step !== null) return completeSignIn(visit, step.person, step.returnTo);
    // A required provider also replaces passkeys.
    if ((await keepPasswordPeople(visit.oauth, [passkey.owner])).length === 0)
      return showDemandedProviders(visit, [passkey.owner], { returnTo });
    try {
      return await completeSignIn(visit, passkey.owner, returnTo, "passkey");
    } catch (error) {
      if (!(error instanceof SessionRefused)) throw error;
      return showSignIn(visit, { status: 403, returnTo, problem: error.message });
    }
  });

  get("/sign_out", async (visit) => {
    if (visit.session === null) return redirectTo(visit.reply, "/sign_in");
    const body = html`<div class="card"><h1>Sign out?</h1>${renderButton(visit, "/sign_out", "Sign out", "")}</div>`;
    return sendPage(visit.reply, renderLayout(visit, { title: "Sign out", body, narrow: true }));
  });

  postSignedIn("/sign_out", async (visit) => {
    const { id, person } = visit.session;
    await keepProviderSignOut(visit);
    await endSession(visit.oauth, person, id, visit.address, "sign-out");
    clearCookie(visit, sessionCookie);
    return redirectTo(visit.reply, "/sign_in");
  });
}
