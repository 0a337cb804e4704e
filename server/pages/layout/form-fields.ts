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
  const described = [hint === undefined ? null : `${name}-hint`, errors.length === 0 ? null : `${name}-error`]
    .filter((id) => id !== null)
    .join(" ");
  const attributes = html` id="${name}" name="${name}"${renderAttribute("required", required)}${renderAttribute("autofocus", autofocus)}${renderAttribute("autocomplete", autocomplete)}${renderAttribute("aria-describedby", described || undefined)}${errors.length > 0 && html` aria-invalid="true"`}`;
  return html`<div class="field">
${beside === undefined ? html`<label for="${name}">${label}</label>` : html`<div class="label-line"><label for="${name}">${label}</label>${beside}</div>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input type="${type}"${attributes} value="${type === "password" ? "" : (value ?? "")}">
${errors.length > 0 && html`<p class="error" id="${name}-error">${errors.map((text) => `${label} ${text}`).join(". ")}</p>`}
</div>`;
}

export const renderAlert = (text: HtmlPart): Html => html`<p class="alert" role="alert">${text}</p>`;

/** Tells password managers whose password it is; nobody else needs to see it. */
export const renderUsernameField = (email: string): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${email}" aria-label="E-mail address" readonly hidden>`;
