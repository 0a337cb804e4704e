import type { FastifyReply } from "fastify";
import { isAccountOwner, loadEnforcedProviders } from "../../oauth/providers/enforcement.ts";
import { checkPassword, type SignInCandidate } from "../../oauth/sessions/sign-in.ts";
import { type Problems, renderField } from "../layout/form-fields.ts";
import { html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { sendPage } from "../responses.ts";
import { completeSignIn } from "../sign-in/complete-sign-in.ts";
import { readKnownDevice, rememberDevice } from "../sign-in/known-device.ts";
import { continueSignIn } from "../sign-in/second-step.ts";
import { describeWait } from "../sign-in/wait-text.ts";
import type { Visit } from "../visit.ts";

// If an account requires a provider that is broken, its owner signs in here with the password. All administrators get an
// email about it.

function showDoor(visit: Visit, email = "", problems: Problems = [], status = 200): FastifyReply {
  const body = html`<div class="card">
<h1>Emergency sign-in</h1>
<p>For the account owner, when the identity provider is down. All administrators are notified by email.</p>
<form method="post" action="/access/normal" class="full">
${renderCsrfField(visit)}
${renderField([], { name: "email", label: "Email address", type: "email", value: email, autocomplete: "username", required: true, autofocus: email === "" })}
${renderField(problems, { name: "password", label: "Password", type: "password", autocomplete: "current-password", required: true })}
<button>Sign in</button>
</form>
</div>`;
  const page = renderLayout(visit, { title: "Emergency sign-in", body, narrow: true });
  return sendPage(visit.reply, page, status);
}

export function registerEmergencyDoor({ get, post }: PageRoutes): void {
  get("/access/normal", async (visit) => showDoor(visit));
  post("/access/normal", async (visit, form) => {
    const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
    const device = readKnownDevice(visit);
    const attempt = await checkPassword(visit.oauth, { email, password, address: visit.address, device });
    if (attempt.outcome === "later")
      return showDoor(
        visit,
        email,
        [["password", `can't be checked right now. ${describeWait(visit, attempt.until)}`]],
        429,
      );
    const wrong = () => showDoor(visit, email, [["password", "is incorrect, or you're not the account owner"]], 422);
    if (attempt.outcome === "wrong") return wrong();
    const owner = await findOwner(visit, attempt.people);
    if (owner === null) return wrong();
    rememberDevice(visit, [owner]);
    return continueSignIn(visit, { person: owner, email, returnTo: null }, completeSignIn);
  });
}

async function findOwner({ oauth }: Visit, people: readonly SignInCandidate[]): Promise<SignInCandidate | null> {
  for (const person of people)
    if (await isAccountOwner(oauth, person)) {
      const { sign_in_methods } = await oauth.identities.getPolicy(person.account);
      const isDemanded = (await loadEnforcedProviders(oauth, [person.account])).length > 0;
      const isClosed = isDemanded || !sign_in_methods.includes("password");
      return isClosed ? { ...person, isEmergency: true } : person;
    }
  return null;
}
