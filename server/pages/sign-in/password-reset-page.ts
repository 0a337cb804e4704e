import type { FastifyReply } from "fastify";
import { Invalid } from "../../base/errors.ts";
import { loadPendingReset, requestPasswordReset, resetPassword } from "../../oauth/passwords/password-resets.ts";
import { type Problems, renderAlert, renderField, renderUsernameField } from "../layout/form-fields.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo, sendPage } from "../responses.ts";
import type { Visit } from "../visit.ts";
import { readKnownDevice } from "./known-device.ts";
import { describeWait } from "./wait-text.ts";

function showRequestForm(visit: Visit, problem: HtmlPart = null, status = 200): FastifyReply {
  const body = html`<div class="card">
<h1>Forgot your password?</h1>
<p>Enter your email address and we'll send you a link to reset it.</p>
${problem !== null && renderAlert(problem)}
<form method="post" action="/password_reset" class="full">
${renderCsrfField(visit)}
${renderField([], { name: "email", label: "Email address", type: "email", autocomplete: "username", required: true, autofocus: true })}
<button>Send link</button>
</form>
<p><a href="/sign_in">Back to sign in</a></p>
</div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Forgot your password?", body, narrow: true }), status);
}

async function showPasswordForm(
  visit: Visit,
  token: string,
  problems: Problems = [],
  status = 200,
): Promise<FastifyReply> {
  const reset = await loadPendingReset(visit.oauth, token);
  if (reset === null) return showExpiredLink(visit);
  const { minimum_password_length } = await visit.oauth.identities.getPolicy(reset.account_id);
  const hint = `At least ${minimum_password_length} characters. A few unrelated words are easy to remember and hard to guess.`;
  const body = html`<div class="card">
<h1>Choose a new password</h1>
<form method="post" action="/password_reset/${token}" class="full">
${renderCsrfField(visit)}
${renderUsernameField(reset.email)}
${renderField(problems, { name: "password", label: "New password", type: "password", autocomplete: "new-password", required: true, autofocus: true, hint })}
<button>Change password</button>
</form>
</div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Choose a new password", body, narrow: true }), status);
}

function showMessage(visit: Visit, title: string, text: HtmlPart, status = 200): FastifyReply {
  const body = html`<div class="card"><h1>${title}</h1><p>${text}</p><p><a href="/sign_in">Back to sign in</a></p></div>`;
  return sendPage(visit.reply, renderLayout(visit, { title, body, narrow: true }), status);
}

const showExpiredLink = (visit: Visit) =>
  showMessage(
    visit,
    "This link has expired",
    html`Reset links can be used once, within an hour. <a href="/password_reset">Request a new link</a>.`,
    404,
  );

export function registerPasswordResetPages({ get, post }: PageRoutes): void {
  get("/password_reset", async (visit) => showRequestForm(visit));
  post("/password_reset", async (visit, form) => {
    const email = form.get("email") ?? "";
    const device = readKnownDevice(visit);
    const until = await requestPasswordReset(visit.oauth, email, visit.address, device);
    if (until !== null) return showRequestForm(visit, `Too many requests. ${describeWait(visit, until)}`, 429);
    return showMessage(
      visit,
      "Check your email",
      "If that address has an account here, we've sent it a reset link. The link is valid for one hour.",
    );
  });
  get("/password_reset/:token", (visit, { token = "" }) => showPasswordForm(visit, token));
  post("/password_reset/:token", async (visit, form, { token = "" }) => {
    try {
      const done = await resetPassword(visit.oauth, token, form.get("password") ?? "", visit.address);
      return done ? redirectTo(visit.reply, "/sign_in?done=password") : showExpiredLink(visit);
    } catch (error) {
      if (error instanceof Invalid) return showPasswordForm(visit, token, error.problems, 422);
      throw error;
    }
  });
}
