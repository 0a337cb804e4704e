import { uiExtension } from "../../../records/settings/ui-extension.ts";
import { uiExtensionVersion } from "../../../records/settings/ui-extension-version.ts";
import type { InputOf, RowOf } from "../../../records/vocabulary/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import { type Row, statement } from "../../database/database.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";
import { extractPhrases } from "./html-phrases.ts";

// A UI extension has versions: one that is being prepared and receives every edit, one that is active and is shown, and
// those that were active before. `activate` makes the prepared version active and creates the next one as its copy.

const contentFields = ["html", "css", "javascript", "form_definition_json"] as const;
type ContentField = (typeof contentFields)[number];
const isContentField = (name: string): boolean => contentFields.some((field) => field === name);

type ExtensionChange = Change<typeof uiExtension>;
type Content = Pick<RowOf<typeof uiExtension>, ContentField>;
type Version = InputOf<typeof uiExtensionVersion>;

const selectPreparedVersion = statement(
  "SELECT id, version_nr, html, css, javascript, form_definition FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'being_prepared'",
);
const selectVersions = statement(
  "SELECT id FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 ORDER BY id",
);
const updateVersionReferences = statement(
  "UPDATE ui_extensions SET active_version_id = $3, prepared_version_id = $4, revision = revision + 1 WHERE id = $1 AND account_id = $2",
);

const parsePreparedVersion = ([id, number, html, css, javascript, formDefinition]: Row) => ({
  id: Number(id),
  number: Number(number),
  content: {
    html: html ?? null,
    css: css ?? null,
    javascript: javascript ?? null,
    form_definition_json: formDefinition ?? null,
  } satisfies Content,
});

const pickContent = (pick: (field: ContentField) => string | null): Content => ({
  html: pick("html"),
  css: pick("css"),
  javascript: pick("javascript"),
  form_definition_json: pick("form_definition_json"),
});

/** A version has its own content and copies the remaining values of its extension. */
const buildVersionValues = ({ after }: ExtensionChange, content: Content): Version => ({
  name: after.name,
  hide_note: after.hide_note,
  dark_mode_safe: after.dark_mode_safe,
  html: content.html,
  css: content.css,
  javascript: content.javascript,
  form_definition: content.form_definition_json,
});

const createPreparedVersion = (change: ExtensionChange, content: Content, number: number): Promise<number> =>
  change.create("ui_extension_version", {
    ...buildVersionValues(change, content),
    ui_extension: change.id,
    version_nr: number,
    status: "being_prepared",
  });

const buildActivation = ({ by }: ExtensionChange): Version => ({
  status: "active",
  activated_at: toTimestamp(by.now),
});

/**
 * The extension shows the new content if the change activates it, else what it showed before. The audit line then lists
 * the edited content itself, because the fields of the extension do not change.
 */
function setShownContent(change: ExtensionChange, content: Content, previous: Content | null): void {
  const { before, after } = change;
  const activates = after.activate === true;
  for (const field of contentFields) after[field] = activates ? content[field] : (before?.[field] ?? null);
  if (activates) after.phrases = extractPhrases(content.html);
  else
    for (const field of listEdited(content, previous))
      change.extraChanges[field] = [previous?.[field] ?? null, content[field]];
}

const listEdited = (content: Content, previous: Content | null): ContentField[] =>
  contentFields.filter((field) => content[field] !== (previous?.[field] ?? null));

/** The content of a new extension, until its row is stored and versions can refer to it. */
const firstContents = new WeakMap<ExtensionChange, Content>();

function startFirstVersion(change: ExtensionChange): void {
  const content = pickContent((field) => change.after[field]);
  firstContents.set(change, content);
  change.after.phrases = [];
  setShownContent(change, content, null);
}

/** Edits go into the prepared version, which becomes the active one if the change says so. */
async function updatePreparedVersion(change: ExtensionChange): Promise<void> {
  const { tx, by, id, account, before, after, changed } = change;
  const [row] = await tx.query(selectPreparedVersion, [id, account]);
  if (row === undefined) return;
  const prepared = parsePreparedVersion(row);
  const content = pickContent((field) => (changed.has(field) ? after[field] : prepared.content[field]));
  setShownContent(change, content, prepared.content);
  const activates = after.activate === true;
  const hasOtherChanges = [...changed].some((name) => name !== "activate" && !isContentField(name));
  if (!activates && !hasOtherChanges && listEdited(content, prepared.content).length === 0) return;
  after.updated_by = by.person;
  if (changed.has("name"))
    for (const [version] of await tx.query(selectVersions, [id, account]))
      await change.update("ui_extension_version", Number(version), { name: after.name });
  const activation = activates ? buildActivation(change) : {};
  await change.update("ui_extension_version", prepared.id, { ...buildVersionValues(change, content), ...activation });
  if (!activates) return;
  if (before !== null && before.active_version !== null)
    await change.update("ui_extension_version", before.active_version, {
      status: "archived",
      archived_at: toTimestamp(by.now),
    });
  after.active_version = prepared.id;
  after.prepared_version = await createPreparedVersion(change, content, prepared.number + 1);
}

export const uiExtensionRules = rulesFor(uiExtension, {
  compute: { "activates nothing by itself": () => false },
  beforeSave: (change) => (change.before === null ? startFirstVersion(change) : updatePreparedVersion(change)),

  /** A new extension gets its first version, and a second one to prepare if the first is immediately active. */
  async afterSave(change) {
    const { tx, id, account, after } = change;
    const content = firstContents.get(change);
    if (content === undefined) return;
    const first = await createPreparedVersion(change, content, 1);
    const activates = after.activate === true;
    if (activates) await change.update("ui_extension_version", first, buildActivation(change));
    after.active_version = activates ? first : null;
    after.prepared_version = activates ? await createPreparedVersion(change, content, 2) : first;
    tx.send(updateVersionReferences, [id, account, after.active_version, after.prepared_version]);
  },
});

export const uiExtensionVersionRules = rulesFor(uiExtensionVersion, {
  derive: {
    "version_nr, under the name it has in references": ({ after }) => after.version_nr,
    "texts of its HTML": ({ after }) => extractPhrases(after.html),
    "has a form of the designer": ({ after }) => after.form_definition !== null,
    "path of its audit trail": ({ id, after }) => `/ui_extensions/${after.ui_extension}/versions/${id}/audit`,
  },
});
