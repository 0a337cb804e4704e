import type { FastifyReply } from "fastify";
import { enumerations } from "../../../records/enumerations/index.ts";
import { Invalid } from "../../base/errors.ts";
import { AlreadySetUp, createFirstAccount } from "../../oauth/first-account/create-first-account.ts";
import {
  emptyForm,
  type FirstAccountForm,
  parseFirstAccountForm,
  weekdays,
} from "../../oauth/first-account/first-account-form.ts";
import { isSetupOpen } from "../../oauth/first-account/setup-address.ts";
import { firstPasswordRules } from "../../oauth/passwords/passwords.ts";
import { signIn } from "../../oauth/sessions/sign-in.ts";
import { setCookie } from "../cookies.ts";
import { type Problems, renderAlert, renderField, renderProblems, renderSelect } from "../layout/form-fields.ts";
import { type Html, html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { sessionCookie, type Visit } from "../visit.ts";

// The form of the first account, at the address that an empty instance prints at startup. It works without scripts, like
// signing in; it is a single page, so nothing is stored between steps.

const monthInSeconds = 30 * 24 * 3600;

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** The languages that the interface speaks; others can be set later. */
const languages = {
  "en-US": "English (US)",
  "en-GB": "English (UK)",
  nl: "Nederlands",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

const toChoices = (values: readonly string[], name = (value: string) => value) =>
  values.map((value) => ({ value, label: name(value) }));

function renderSection(title: string, lead: string, body: Html): Html {
  return html`<fieldset class="section"><legend><h2>${title}</h2></legend><p class="hint">${lead}</p>${body}</fieldset>`;
}

function showForm(visit: Visit, token: string, form: FirstAccountForm, problems: Problems = []): FastifyReply {
  const passwordHint = `At least ${firstPasswordRules.minimum_password_length} characters. A few unrelated words are easy to remember and hard to guess.`;
  const zones = enumerations.time_zone;
  const organization = html`
${renderField(problems, { name: "account_name", label: "Name", type: "text", value: form.account_name, required: true, autocomplete: "organization", autofocus: true, hint: "Your company or department, as people will see it" })}
${renderField(problems, { name: "account_id", label: "Short name", type: "text", value: form.account_id, hint: "Used in web addresses and can't be changed later. Leave empty to derive it from the name." })}
<div class="columns">
${renderSelect(problems, { name: "locale", label: "Language", value: form.locale, choices: Object.entries(languages).map(([value, label]) => ({ value, label })) })}
${renderSelect(problems, { name: "time_zone", label: "Time zone", value: form.time_zone, choices: toChoices(zones) })}
${renderSelect(problems, { name: "currency", label: "Currency", value: form.currency, choices: toChoices(enumerations["account.currency"], (code) => code.toUpperCase()) })}
</div>`;
  const administrator = html`
${renderField(problems, { name: "name", label: "Your name", type: "text", value: form.name, required: true, autocomplete: "name" })}
${renderField(problems, { name: "email", label: "Email address", type: "email", value: form.email, required: true, autocomplete: "username", hint: "You'll use this to sign in" })}
<div class="columns">
${renderField(problems, { name: "password", label: "Password", type: "password", required: true, autocomplete: "new-password", hint: passwordHint })}
${renderField(problems, { name: "password_again", label: "Confirm password", type: "password", required: true, autocomplete: "new-password" })}
</div>`;
  const days = weekdays.map(
    (day, at) =>
      html`<label class="check"><input type="checkbox" name="days" value="${day}"${form.days.includes(day) && html` checked`}> ${dayNames[at] ?? ""}</label>`,
  );
  const hours = html`
<fieldset class="field"><legend>Days</legend><div class="choices row">${days}</div>${renderProblems(problems, "days", "Days")}</fieldset>
<div class="columns">
${renderField(problems, { name: "from", label: "From", type: "text", value: form.from, required: true })}
${renderField(problems, { name: "until", label: "To", type: "text", value: form.until, required: true })}
</div>`;
  const renderChoice = (value: string, isChosen: boolean, label: string) =>
    html`<label class="check"><input type="radio" name="sample" value="${value}"${isChosen && html` checked`}> ${label}</label>`;
  const sample = html`<fieldset class="field"><legend>Sample requests</legend><div class="choices">
${renderChoice("no", !form.sample, "Start with an empty account")}
${renderChoice("yes", form.sample, "Add five sample requests (you can remove them in Settings)")}
</div></fieldset>`;
  const body = html`<h1>Set up Steward</h1>
<p>Create the first account of this instance, with you as its administrator. You can change everything later except the short
name.</p>
${problems.length > 0 && renderAlert("Some fields need your attention. They're marked below.")}
<form method="post" action="/setup/${token}" class="full setup" novalidate>
${renderCsrfField(visit)}
${renderSection("1. Your organization", "An account holds an organization's people, work and settings.", organization)}
${renderSection("2. You", "You'll be the first administrator. You can add others later.", administrator)}
${renderSection("3. Working hours", "Your first calendar. You can add holidays and more calendars in Settings.", hours)}
${renderSection("4. Sample data", "Sample requests show you what lists and pages look like with content.", sample)}
<button>Create account</button>
</form>`;
  const page = renderLayout(visit, { title: "Set up Steward", body });
  return sendPage(visit.reply, page, problems.length > 0 ? 422 : 200);
}

function showClosed(visit: Visit): FastifyReply {
  const body = html`<div class="card"><h1>This setup link isn't valid</h1>
<p>A setup link is valid for one day, and only until the first account is created. If there is no account yet, restart the server
to get a new link.</p><p><a href="/sign_in">Sign in</a></p></div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Setup link not valid", body, narrow: true }), 404);
}

export function registerFirstAccountPage({ get, post }: PageRoutes): void {
  get("/setup/:token", async (visit, { token = "" }) =>
    (await isSetupOpen(visit.oauth, token)) ? showForm(visit, token, emptyForm) : showClosed(visit),
  );
  post("/setup/:token", async (visit, given, { token = "" }) => {
    if (!(await isSetupOpen(visit.oauth, token))) return showClosed(visit);
    const form = parseFirstAccountForm(given);
    try {
      const person = await createFirstAccount(visit.pages.engine, visit.oauth, form, visit.address);
      const secret = await signIn(visit.oauth, person, visit, visit.secret);
      setCookie(visit, sessionCookie, secret, monthInSeconds);
      return redirectTo(visit.reply, `/a/${person.account}/settings`);
    } catch (error) {
      if (error instanceof AlreadySetUp) return showClosed(visit);
      if (error instanceof Invalid) return showForm(visit, token, form, error.problems);
      throw error;
    }
  });
}
