import type { Account } from "../../engine/caller.ts";
import type { Types } from "../../engine/types.ts";
import { getScopeLabel } from "../../oauth/scopes/describe-scopes.ts";
import { listScopeNames, type Scope } from "../../oauth/scopes/scopes.ts";
import { type Problems, renderField } from "../layout/form-fields.ts";
import { type Html, html } from "../layout/html.ts";

// Scopes as a form: what is allowed as a table of boxes, the accounts it is limited to, and exceptions as text.

const operations = ["Read", "Create", "Update", "Delete"];
const operationLabels: Record<string, string> = { Read: "See", Create: "Add", Update: "Change", Delete: "Delete" };

export type ScopeSelection = { actions: ReadonlySet<string>; accounts: ReadonlySet<string>; deny: string };
export const emptySelection: ScopeSelection = { actions: new Set(), accounts: new Set(), deny: "" };

const renderCheckbox = (value: string, picked: ScopeSelection, label: string): Html =>
  html`<input type="checkbox" name="action" value="${value}" aria-label="${label}"${picked.actions.has(value) && html` checked`}>`;

export function renderScopePicker(
  types: Types,
  accounts: readonly Account[],
  picked: ScopeSelection,
  problems: Problems,
): Html {
  const names = [...listScopeNames(types)]
    .filter((name) => name !== "me")
    .sort((a, b) => getScopeLabel(types, a).localeCompare(getScopeLabel(types, b)));
  const rows = names.map((name) => {
    const what = getScopeLabel(types, name);
    const boxes = operations.map(
      (operation) =>
        html`<td>${renderCheckbox(`${name}:${operation}`, picked, `${operationLabels[operation]} ${what}`)}</td>`,
    );
    return html`<tr><th scope="row">${what}</th>${boxes}</tr>`;
  });
  const only = accounts.map(
    ({ id, name }) =>
      html`<label class="check"><input type="checkbox" name="only" value="${id}"${picked.accounts.has(id) && html` checked`}> ${name}</label>`,
  );
  const some = [...picked.actions].some((action) => action !== "*:*" && action !== "me:All");
  return html`<fieldset class="field" id="scopes"><legend>Scopes</legend>
<p class="hint">What it may do, never more than the person may do. Without any, every call is refused.</p>
<div class="choices">
<label class="check"><input type="checkbox" name="action" value="*:*"${picked.actions.has("*:*") && html` checked`}> Everything</label>
<label class="check"><input type="checkbox" name="action" value="me:All"${picked.actions.has("me:All") && html` checked`}> See who the person is</label>
</div>
<details${some && html` open`}><summary>By kind of record</summary><div class="scroll"><table class="scopes">
<thead><tr><th>Kind</th>${operations.map((operation) => html`<th>${operationLabels[operation]}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>
${accounts.length > 1 && html`<fieldset class="field"><legend>Only in these accounts</legend><p class="hint">None chosen: in all of them.</p><div class="choices">${only}</div></fieldset>`}
</fieldset>
${renderField(problems, { name: "scopes", label: "Exceptions", value: picked.deny, hint: html`What it may never do, for example <code>person:UD, team:Delete</code>.` })}`;
}

/** From the submitted form to scopes, and to the boxes again when the form is shown once more. */
export function parseSelection(form: URLSearchParams): { scopes: unknown[]; picked: ScopeSelection } {
  const [actions, accounts, deny] = [form.getAll("action"), form.getAll("only"), (form.get("scopes") ?? "").trim()];
  const scopes: unknown[] = [];
  if (actions.length > 0) scopes.push({ effect: "allow", actions, accounts });
  if (deny !== "") scopes.push({ effect: "deny", actions: deny });
  return { scopes, picked: { actions: new Set(actions), accounts: new Set(accounts), deny } };
}

/** Null: made through the JSON interface, in a form that boxes cannot show. */
export function buildSelection(scopes: readonly Scope[]): ScopeSelection | null {
  const [allowed, denied] = [
    scopes.filter(({ effect }) => effect === "allow"),
    scopes.filter(({ effect }) => effect === "deny"),
  ];
  if (allowed.length > 1 || denied.length > 1 || (denied[0]?.accounts.length ?? 0) > 0) return null;
  const actions = new Set(allowed[0]?.actions ?? []);
  return { actions, accounts: new Set(allowed[0]?.accounts ?? []), deny: denied[0]?.actions.join(", ") ?? "" };
}
