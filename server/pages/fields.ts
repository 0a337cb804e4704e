import type { Problem } from "../base/errors.ts";
import { type Html, html, type Part } from "./html.ts";

// Fields of forms, with their labels, hints and errors tied together for those who do not see the page.

export type Problems = readonly Problem[];

const problemTexts = (problems: Problems, name: string): string[] =>
  problems
    .filter(([field]) => field === name)
    .map(([, text, values = {}]) => text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? "")));

export type Field = {
  name: string;
  label: string;
  value?: string | null;
  type?: "text" | "email" | "password" | "url";
  hint?: Part;
  autocomplete?: string;
  required?: boolean;
  autofocus?: boolean;
  rows?: number;
  maxlength?: number;
};

const attribute = (name: string, value: string | number | boolean | undefined): Part =>
  value === undefined || value === false
    ? null
    : value === true
      ? html` ${name}`
      : html` ${name}="${typeof value === "number" ? value : value}"`;

export function field(problems: Problems, wanted: Field): Html {
  const { name, label, value, type = "text", hint, autocomplete, required, autofocus, rows, maxlength } = wanted;
  const errors = problemTexts(problems, name);
  const described = [hint === undefined ? null : `${name}-hint`, errors.length === 0 ? null : `${name}-error`]
    .filter((id) => id !== null)
    .join(" ");
  const common = html` id="${name}" name="${name}"${attribute("required", required)}${attribute("autofocus", autofocus)}${attribute("maxlength", maxlength)}${attribute("autocomplete", autocomplete)}${attribute("aria-describedby", described || undefined)}${errors.length > 0 && html` aria-invalid="true"`}`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${
  rows === undefined
    ? html`<input type="${type}"${common} value="${type === "password" ? "" : (value ?? "")}">`
    : html`<textarea rows="${rows}"${common}>${value ?? ""}</textarea>`
}
${errors.length > 0 && html`<p class="error" id="${name}-error">${errors.map((text) => `${label} ${text}`).join(". ")}</p>`}
</div>`;
}

/** Said at the top as well: on a long form the field may be out of sight. */
export const summary = (problems: Problems): Part =>
  problems.length > 0 &&
  html`<p class="alert" role="alert">${problems.length === 1 ? "One thing needs" : `${problems.length} things need`} your attention below.</p>`;

export const alert = (text: Part): Html => html`<p class="alert" role="alert">${text}</p>`;

/** Tells password managers whose password it is; nobody else needs to see it. */
export const usernameField = (email: string): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${email}" aria-label="E-mail address" readonly hidden>`;
