import type { Account } from "../../engine/caller.ts";
import { type Problems, renderField, renderProblemSummary } from "../layout/form-fields.ts";
import { type Html, html } from "../layout/html.ts";
import type { Visit } from "../visit.ts";
import { parseSelection, renderScopePicker, type ScopeSelection } from "./scope-picker.ts";

// The settings of an application as a form, for a new one and for one that exists.

export type ApplicationForm = {
  values: Readonly<Record<string, unknown>>;
  /** null: the scopes cannot be shown as boxes, and stay as they are */
  picked: ScopeSelection | null;
  problems: Problems;
  accounts: readonly Account[];
  existing?: boolean;
};

const grantTypes: [string, string][] = [
  ["authorization_code", "Authorization code: it acts for people who allow it"],
  ["client_credentials", "Client credentials: it acts as a person of its own"],
];

export function renderApplicationForm(
  visit: Visit,
  { values, picked, problems, accounts, existing }: ApplicationForm,
): Html {
  const text = (name: string): string => (typeof values[name] === "string" ? values[name] : "");
  const grant = text("grant_type") || "authorization_code";
  const choices = grantTypes.map(
    ([value, label]) =>
      html`<label class="check"><input type="radio" name="grant_type" value="${value}"${value === grant && html` checked`}> ${label}</label>`,
  );
  const forPeople = !existing || grant === "authorization_code";
  return html`${renderProblemSummary(problems)}
${renderField(problems, { name: "name", label: "Name", value: text("name"), required: true, maxlength: 128, autocomplete: "off" })}
${!existing && html`<fieldset class="field"><legend>Grant</legend><div class="choices">${choices}</div></fieldset>`}
${
  forPeople &&
  html`${renderField(problems, { name: "endpoints", label: "Redirect URIs", value: text("endpoints"), rows: 3, hint: "One per line, for the authorization code grant. They are compared character by character." })}
${renderField(problems, { name: "description", label: "Description", value: text("description"), rows: 3, hint: "Shown to people who are asked to allow it." })}
${renderField(problems, { name: "homepage_url", label: "Homepage", value: text("homepage_url"), type: "url" })}`
}
${(!existing || grant === "client_credentials") && renderField(problems, { name: "person", label: "Person", value: text("person"), type: "email", hint: "E-mail address of the person it acts as, for the client credentials grant." })}
${
  picked === null
    ? html`<input type="hidden" name="keep_scopes" value="1"><p class="muted">The scopes were set by a program, in a form that cannot be shown here. They stay as they are.</p>`
    : renderScopePicker(visit.oauth.types, accounts, picked, problems)
}
${existing && html`<p class="field check"><label class="check"><input type="checkbox" name="disabled" value="true"${values.disabled === true && html` checked`}> Disabled: none of its tokens work</label></p>`}`;
}

/** What the form says, as the input of an application. */
export function parseApplicationForm(form: URLSearchParams, existing: boolean): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of ["name", "grant_type", "endpoints", "description", "homepage_url", "person"]) {
    const value = form.get(name);
    if (value !== null) input[name] = value;
  }
  if (!form.has("keep_scopes")) input.scopes = parseSelection(form).scopes;
  if (existing) input.disabled = form.get("disabled") === "true";
  return input;
}
