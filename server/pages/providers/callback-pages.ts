import type { FastifyReply } from "fastify";
import { isAdministratorOf } from "../../engine/access.ts";
import { createPerson } from "../../oauth/providers/create-person.ts";
import { findPerson, type PersonFound } from "../../oauth/providers/find-person.ts";
import type { IdentityProvider } from "../../oauth/providers/identity-provider.ts";
import { clockTolerance } from "../../oauth/providers/provider-metadata.ts";
import { sealProof } from "../../oauth/providers/provider-sessions.ts";
import { findProviderById } from "../../oauth/providers/providers.ts";
import { finishFlow, type ProviderClaims, SignInRefused } from "../../oauth/providers/sign-in-flow.ts";
import { checkPassword, type SignInCandidate } from "../../oauth/sessions/sign-in.ts";
import { recordProof } from "../../oauth/step-up.ts";
import { type Problems, renderField, renderUsernameField } from "../layout/form-fields.ts";
import { html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { completeSignIn } from "../sign-in/complete-sign-in.ts";
import { readKnownDevice } from "../sign-in/known-device.ts";
import { parseOwnPath } from "../sign-in/return-to.ts";
import { continueSignIn } from "../sign-in/second-step.ts";
import { readStep, signStep } from "../sign-in/signed-step.ts";
import { describeWait } from "../sign-in/wait-text.ts";
import type { Visit } from "../visit.ts";
import { type PendingFlow, takeFlow } from "./flow-cookie.ts";
import { showMessage, showRefusal } from "./refusal-page.ts";
import { showTestResult } from "./test-page.ts";

// The way back from a provider: claims become a person, and the person gets a session after the steps that are missing.

async function handleCallback(visit: Visit): Promise<FastifyReply> {
  const flow = takeFlow(visit);
  const provider = flow === null ? null : await findProviderById(visit.oauth, flow.provider);
  if (flow === null || provider === null) {
    visit.oauth.log.info("provider sign-in without a beginning", { address: visit.address });
    return showMessage(
      visit,
      "Sign in again",
      "Your sign-in timed out or was started in another browser. Try again.",
      403,
    );
  }
  try {
    if (flow.mode !== "test" && provider.disabled) throw new SignInRefused("the provider is disabled");
    const found = await finishFlow(visit.pages.providers, provider, flow, visit.query);
    if (flow.mode === "sign-in") return await continueWithClaims(visit, provider, found, flow.returnTo);
    if (flow.mode === "proof") return await acceptProof(visit, provider, found, flow);
    const isAdministrator = visit.session !== null && isAdministratorOf(visit.session.person, provider.account_id);
    if (!isAdministrator) throw new SignInRefused("only administrators can test a provider");
    return showTestResult(visit, provider, found);
  } catch (error) {
    if (error instanceof SignInRefused) return showRefusal(visit, provider, error);
    throw error;
  }
}

/** D-553: the person of the session, who signed in at the provider after being asked to. */
async function acceptProof(
  visit: Visit,
  provider: IdentityProvider,
  found: ProviderClaims,
  { startedAt, returnTo }: PendingFlow,
): Promise<FastifyReply> {
  const { oauth, session, address } = visit;
  const person = await oauth.database.transaction((tx) => findPerson(tx, provider, found));
  if (session === null || person?.link !== "stored" || person.id !== session.person.id)
    throw new SignInRefused("a different person signed in at the provider", found.subject);
  if (found.authTime !== null && found.authTime < startedAt - clockTolerance)
    throw new SignInRefused("the provider did not ask for the sign-in again", found.subject);
  await recordProof(oauth, session, "provider", address);
  return redirectTo(visit.reply, returnTo ?? "/");
}

async function continueWithClaims(
  visit: Visit,
  provider: IdentityProvider,
  found: ProviderClaims,
  returnTo: string | null,
): Promise<FastifyReply> {
  const person = await visit.oauth.database.transaction(async (tx) => {
    const known = await findPerson(tx, provider, found);
    if (known !== null) return known;
    if (!provider.settings.create_people) throw new SignInRefused("no person has this identifier", found.subject);
    return createPerson(visit.pages.providers, tx, provider, found, visit.address);
  });
  const candidate = await buildCandidate(visit, provider, person, found);
  const step = { person: candidate, email: person.email, returnTo };
  if (person.link === "password") return showLinkForm(visit, provider, step);
  return provider.settings.second_factor_by_provider
    ? completeSignIn(visit, candidate, returnTo)
    : continueSignIn(visit, step, completeSignIn);
}

async function buildCandidate(
  { oauth }: Visit,
  provider: IdentityProvider,
  { id, link }: PersonFound,
  { issuer, subject, idToken, sid, acr, amr }: ProviderClaims,
): Promise<SignInCandidate> {
  const isNewLink = link !== "stored";
  const proof = sealProof(oauth, id, { provider: provider.id, issuer, subject, idToken, sid, acr, amr, isNewLink });
  const accountName = (await oauth.identities.getAccounts()).get(provider.account_id)?.name ?? "";
  return { id, account: provider.account_id, accountName, provider: proof };
}

type Step = { person: SignInCandidate; email: string; returnTo: string | null };
const linkPurpose = "link to a provider";

function showLinkForm(
  visit: Visit,
  { name }: { name: string },
  step: Step,
  problems: Problems = [],
  status = 200,
): FastifyReply {
  const body = html`<div class="card">
<h1>Confirm it's you</h1>
<p>You're an administrator, and this is your first sign-in with ${name}. Enter your Steward password once. After that, ${name} is all you need.</p>
<form method="post" action="/sso/link" class="full">
${renderCsrfField(visit)}
${renderUsernameField(step.email)}
<input type="hidden" name="step" value="${signStep(visit, linkPurpose, { ...step, name })}">
${renderField(problems, { name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true, autofocus: true })}
<button>Continue</button>
</form>
</div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Confirm it's you", body, narrow: true }), status);
}

export function registerCallbackPages({ get, post }: PageRoutes): void {
  get("/sso/callback", handleCallback);

  post("/sso/link", async (visit, form) => {
    const step = readStep<Step & { name: string }>(visit, linkPurpose, form.get("step") ?? "");
    if (step === null) return redirectTo(visit.reply, "/sign_in");
    const { name, person, email } = step;
    const attempt = await checkPassword(visit.oauth, {
      ...{ email, password: form.get("password") ?? "", address: visit.address },
      device: readKnownDevice(visit),
    });
    const refuse = (text: string, status: number) => showLinkForm(visit, { name }, step, [["password", text]], status);
    if (attempt.outcome === "later")
      return refuse(`can't be checked right now. ${describeWait(visit, attempt.until)}`, 429);
    if (attempt.outcome === "wrong" || !attempt.people.some(({ id }) => id === person.id))
      return refuse("is incorrect", 422);
    // A new link needs everything that a sign-in with the password needs, regardless of the provider's checks.
    return continueSignIn(visit, { person, email, returnTo: parseOwnPath(step.returnTo) }, completeSignIn);
  });
}
