import type { FastifyReply } from "fastify";
import { Invalid } from "../base/errors.ts";
import { askForReset, pendingReset, resetPassword } from "../oauth/password-resets.ts";
import { shortestPassword } from "../oauth/passwords.ts";
import { goTo, show } from "./answer.ts";
import { alert, field, type Problems, usernameField } from "./fields.ts";
import { html, type Part } from "./html.ts";
import { csrfField, layout } from "./layout.ts";
import type { PageRoutes } from "./routes.ts";
import type { Visit } from "./visit.ts";
import { waitText } from "./wait-text.ts";

function askPage(visit: Visit, problem: Part = null, status = 200): FastifyReply {
  const body = html`<div class="card">
<h1>Forgot your password?</h1>
<p>We send you a link with which you can choose a new one.</p>
${problem !== null && alert(problem)}
<form method="post" action="/password_reset" class="full">
${csrfField(visit)}
${field([], { name: "email", label: "E-mail address", type: "email", autocomplete: "username", required: true, autofocus: true })}
<button>Send the link</button>
</form>
<p><a href="/sign_in">Back to sign in</a></p>
</div>`;
  return show(visit.reply, layout(visit, { title: "Forgot your password?", body, narrow: true }), status);
}

async function choosePage(visit: Visit, token: string, problems: Problems = [], status = 200): Promise<FastifyReply> {
  const reset = await pendingReset(visit.oauth, token);
  if (reset === null) return usedUp(visit);
  const hint = `At least ${shortestPassword} characters. A few unrelated words are easy to remember and hard to guess.`;
  const body = html`<div class="card">
<h1>Choose a new password</h1>
<form method="post" action="/password_reset/${token}" class="full">
${csrfField(visit)}
${usernameField(reset.email)}
${field(problems, { name: "password", label: "New password", type: "password", autocomplete: "new-password", required: true, autofocus: true, hint })}
<button>Change password</button>
</form>
</div>`;
  return show(visit.reply, layout(visit, { title: "Choose a new password", body, narrow: true }), status);
}

function message(visit: Visit, title: string, text: Part, status = 200): FastifyReply {
  const body = html`<div class="card"><h1>${title}</h1><p>${text}</p><p><a href="/sign_in">Back to sign in</a></p></div>`;
  return show(visit.reply, layout(visit, { title, body, narrow: true }), status);
}

const usedUp = (visit: Visit) =>
  message(
    visit,
    "This link does not work any more",
    html`Links work once, for an hour. <a href="/password_reset">Ask for a new one.</a>`,
    404,
  );

export function passwordResetPages({ get, post }: PageRoutes): void {
  get("/password_reset", async (visit) => askPage(visit));
  post("/password_reset", async (visit, form) => {
    const until = await askForReset(visit.oauth, form.get("email") ?? "", visit.address);
    if (until !== null) return askPage(visit, `Too many requests. ${waitText(visit, until)}`, 429);
    return message(
      visit,
      "Look into your mail",
      "If somebody with that address can sign in here, a link is on its way. It works for an hour.",
    );
  });
  get("/password_reset/:token", (visit, { token = "" }) => choosePage(visit, token));
  post("/password_reset/:token", async (visit, form, { token = "" }) => {
    try {
      const done = await resetPassword(visit.oauth, token, form.get("password") ?? "", visit.address);
      return done ? goTo(visit.reply, "/sign_in?done=password") : usedUp(visit);
    } catch (error) {
      if (error instanceof Invalid) return choosePage(visit, token, error.problems, 422);
      throw error;
    }
  });
}
