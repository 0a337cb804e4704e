import type { Problem } from "../../base/errors.ts";
import { type Html, type HtmlPart, html } from "./html.ts";

// Fields of forms, with their labels, hints and errors tied together for those who do not see the page.

export type Problems = readonly Problem[];

const listProblemTexts = (problems: Problems, name: string): string[] =>
  problems
    .filter(([field]) => field === name)
    .map(([, text, values = {}]) => text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? "")));

export type FormField = {
  name: string;
  label: string;
  value?: string | null;
  type: "email" | "password" | "text";
  hint?: HtmlPart;
  /** at the end of the line of the label */
  beside?: HtmlPart;
  autocomplete?: string;
  required?: boolean;
  autofocus?: boolean;
};

const renderAttribute = (name: string, value: string | boolean | undefined): HtmlPart =>
  value === undefined || value === false ? null : value === true ? html` ${name}` : html` ${name}="${value}"`;

export function renderField(problems: Problems, wanted: FormField): Html {
  const { name, label, value, type, hint, beside, autocomplete, required, autofocus } = wanted;
  const errors = listProblemTexts(problems, name);
  const described = listDescriptions(name, hint !== undefined, errors.length > 0);
  const attributes = html` id="${name}" name="${name}"${renderAttribute("required", required)}${renderAttribute("autofocus", autofocus)}${renderAttribute("autocomplete", autocomplete)}${renderAttribute("aria-describedby", described || undefined)}${errors.length > 0 && html` aria-invalid="true"`}`;
  return html`<div class="field">
${beside === undefined ? html`<label for="${name}">${label}</label>` : html`<div class="label-line"><label for="${name}">${label}</label>${beside}</div>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input type="${type}"${attributes} value="${type === "password" ? "" : (value ?? "")}">
${renderProblems(problems, name, label)}
</div>`;
}

/** The ids of the texts that belong to an input. */
const listDescriptions = (name: string, hasHint: boolean, hasErrors: boolean): string =>
  [...(hasHint ? [`${name}-hint`] : []), ...(hasErrors ? [`${name}-error`] : [])].join(" ");

export function renderProblems(problems: Problems, name: string, label: string): HtmlPart {
  const errors = listProblemTexts(problems, name);
  if (errors.length === 0) return null;
  return html`<p class="error" id="${name}-error">${errors.map((text) => `${label} ${text}`).join(". ")}</p>`;
}

export type SelectField = {
  name: string;
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
};

export function renderSelect(problems: Problems, { name, label, value, choices }: SelectField): Html {
  const described = listDescriptions(name, false, listProblemTexts(problems, name).length > 0);
  const options = choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${renderAttribute("aria-describedby", described || undefined)}${described !== "" && html` aria-invalid="true"`}>${options}</select>
${renderProblems(problems, name, label)}
</div>`;
}

export const renderAlert = (text: HtmlPart): Html => html`<p class="alert" role="alert">${text}</p>`;

/** Identifies the password's owner to password managers; people don't need to see it. */
export const renderUsernameField = (email: string): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${email}" aria-label="Email address" readonly hidden>`;
