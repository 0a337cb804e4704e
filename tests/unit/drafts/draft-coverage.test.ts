import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// D-788: how each file that renders a text input treats typed and unsent text.

const root = join(import.meta.dirname, "../../../web");

/** The file keeps the draft: it calls useDraft, useFormDraft, useSettingsDraft or useValueDraft. */
const withDraft = [
  ...["parts/forms/record-form.tsx", "parts/records/record-details.tsx"],
  ...["portal/offers/cart.tsx", "portal/requests/followers.tsx", "portal/requests/rate-card.tsx"],
  ...["settings/account/account.tsx", "settings/applications/application-form.tsx"],
  ...["settings/developers/try-call.tsx", "settings/email/email-policy-form.tsx", "settings/email/mail-wordings.tsx"],
  ...["settings/exchange/exports-section.tsx", "settings/exchange/new-import.tsx"],
  ...["settings/identity-providers/provider-form.tsx", "settings/portal/portal-settings.tsx"],
  ...["settings/privacy/retention-table.tsx", "settings/profile/new-token.tsx", "settings/profile/passkeys.tsx"],
  ...["settings/webhooks/recover-dialog.tsx", "settings/webhooks/webhook-keys.tsx"],
  ...["workspace/boards/add-card.tsx", "workspace/boards/column-dialog.tsx", "workspace/boards/move-dialog.tsx"],
  ...["workspace/boards/quick-edit.tsx"],
  ...["workspace/calendar-hours/hours-dialog.tsx", "workspace/ci/fault-dialog.tsx"],
  ...["workspace/dashboards/edit/configure-dialog.tsx", "workspace/dashboards/edit/share-dialog.tsx"],
  ...["workspace/knowledge/article-editor.tsx", "workspace/knowledge/article-side.tsx"],
  ...["workspace/lists/bulk/bulk-dialog.tsx", "workspace/lists/grid/cell-editor.tsx"],
  ...["workspace/lists/save-view-dialog.tsx"],
  ...["workspace/project/phases/phase-name.tsx", "workspace/work-item/blocks/text-block.tsx"],
  ...["workspace/work-item/complete-dialog.tsx", "workspace/work-item/composer/snippet-list.tsx"],
  ...["workspace/work-item/refusal-dialog.tsx", "parts/save/collision-choice.tsx"],
  ...["workspace/work-item/side/custom-field-list.tsx", "workspace/work-item/side/property-editor.tsx"],
  ...["workspace/work-item/message-all-dialog.tsx", "workspace/work-item/wait-dialog.tsx"],
  ...["workspace/services/renew-dialog.tsx", "workspace/services/target-matrix.tsx"],
  ...["workspace/surveys/question-editor.tsx", "workspace/task/decision.tsx", "workspace/time/absence-dialog.tsx"],
  ...["workspace/time/add-line.tsx", "workspace/workflow/add-task-dialog.tsx", "workspace/workflow/approval-bar.tsx"],
];

/** The file is part of a form; the value names the file that keeps the draft. */
const partOf: Record<string, string> = {
  ...Object.fromEntries(
    [
      "hash",
      "number",
      "string",
      "strings",
      "text",
      "time/date",
      "time/datetime",
      "time/duration",
      "time/time-of-day",
    ].map((kind) => [`fields/${kind}.tsx`, "parts/forms/record-form.tsx"]),
  ),
  "parts/tag-picker.tsx": "workspace/boards/quick-edit.tsx",
  "portal/form/extension-field.tsx": "portal/form/extension-answers.tsx",
  "portal/form/form-sections.tsx": "portal/form/request-values.ts",
  "portal/offers/reserve-form.tsx": "portal/offers/use-reservation.ts",
  "portal/parts/reason-field.tsx": "portal/requests/withdraw.tsx",
  "portal/parts/text-with-files.tsx": "portal/requests/composer.tsx",
  "settings/account/sign-in-policy-fields.tsx": "settings/account/sign-in-policy.tsx",
  "settings/automation/editor/code-area.tsx": "settings/automation/use-rule-editor.ts",
  "settings/automation/rule-fields.tsx": "settings/automation/use-rule-editor.ts",
  "settings/exchange/file-rows.tsx": "settings/exchange/use-file-check.ts",
  "workspace/broadcasts/broadcast-side.tsx": "workspace/broadcasts/broadcast-editor.tsx",
  "workspace/broadcasts/message-rows.tsx": "workspace/broadcasts/broadcast-editor.tsx",
  "workspace/new-request/inputs.tsx": "workspace/new-request/use-new-request.tsx",
  "workspace/new-request/request-fields.tsx": "workspace/new-request/use-new-request.tsx",
  "workspace/new-request/template-fields.tsx": "workspace/new-request/use-new-request.tsx",
  "workspace/work-item/composer/note-input.tsx": "workspace/work-item/composer/use-composer-draft.ts",
  "workspace/work-item/composer/time-spent.tsx": "workspace/work-item/composer/use-composer-draft.ts",
  "workspace/time/time-cell.tsx": "workspace/time/week-grid.tsx",
};

/** The text is a search or filter term, or part of the page's address, so nothing is lost with it. */
const search = [
  ...["fields/time/date-range-filter.tsx", "parts/lists/chip-filters.tsx", "parts/states/not-found.tsx"],
  ...["portal/form/person-choice.tsx", "portal/home/search-box.tsx", "portal/offers/reservations.tsx"],
  ...["settings/automation/run-log.tsx", "settings/developers/changes.tsx", "settings/developers/log-frame.tsx"],
  ...["settings/developers/reference.tsx", "settings/home/all-records.tsx"],
  ...["settings/home/settings-home.tsx"],
  ...["workspace/boards/filter-menu.tsx", "workspace/dashboards/edit/add-dialog.tsx"],
  ...["workspace/inbox/choice-dialog.tsx", "workspace/inbox/inbox-bar.tsx", "workspace/knowledge/knowledge-list.tsx"],
  ...["workspace/lists/filter-bar.tsx", "workspace/lists/filter-forms.tsx", "workspace/lists/grid/columns-choice.tsx"],
  ...["workspace/palette/palette.tsx", "workspace/palette/shortcut-sheet.tsx", "workspace/services/simulate-card.tsx"],
  ...["workspace/shell/search-box.tsx", "workspace/shell/settings-menu.tsx"],
];

/** The text must never be stored: passwords, codes and secrets, and a name typed to confirm a deletion. */
const secret = [
  ...["settings/applications/try-flow/try-flow.tsx", "settings/home/sample-work.tsx"],
  ...["settings/privacy/person-data.tsx", "settings/profile/password-form.tsx", "settings/profile/second-factor.tsx"],
  ...["parts/proof/proof-dialog.tsx", "workspace/shell/session-dialog.tsx"],
];

/** The file has no text: checkboxes, and the input that passes keys on to a loading dialog. */
const noText = [...["parts/dialogs/dialog-loading.tsx", "parts/forms/plain-checkbox.tsx"]];

const input =
  /\b(TextInput|Textarea|NumberInput|PasswordInput|PinInput|TagsInput|Autocomplete|JsonInput)\b|<input|<textarea|<Edit\b|contentEditable/;
const draftHook = /\buse(Form|Settings|Value)?Draft\b/;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const classified = [...withDraft, ...Object.keys(partOf), ...search, ...secret, ...noText];

test("D-788: every file with a text input is classified", () => {
  const found = globSync("**/*.{ts,tsx}", { cwd: root, exclude: ["dist/**"] }).filter((path) => input.test(read(path)));
  expect(found.length).toBeGreaterThan(100);
  expect(
    found.filter((path) => !classified.includes(path)),
    "Files with an unknown text input. Keep what is typed with useFormDraft or useValueDraft and add the file to withDraft in this test, or to the list that fits",
  ).toEqual([]);
  expect(
    classified.filter((path) => !found.includes(path)),
    "Files in the lists of this test that render no text input",
  ).toEqual([]);
  expect(classified.toSorted()).toEqual([...new Set(classified)].toSorted());
});

test("D-788: a file listed with a draft keeps one, and a secret is in no draft", () => {
  const keepers = [...withDraft, ...Object.values(partOf)];
  expect(keepers.filter((path) => !draftHook.test(read(path)))).toEqual([]);
  expect(secret.filter((path) => draftHook.test(read(path)))).toEqual([]);
  // These two exclude their secret from the draft (tests/browser/settings/settings-drafts.test.ts).
  const passwords = classified.filter((path) => /\bPasswordInput\b/.test(read(path)));
  expect(passwords.filter((path) => !secret.includes(path))).toEqual([
    "settings/email/email-policy-form.tsx",
    "settings/identity-providers/provider-form.tsx",
  ]);
});
