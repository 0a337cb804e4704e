import { toTimestamp } from "../../base/clock.ts";
import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, TypeRules, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { extractPhrases } from "./html-phrases.ts";

// A UI extension has versions: one that is being prepared and takes what is written, one that is active and is shown,
// and those that were active before. `activate` moves the prepared one on and prepares the next, with the same content.

/** the fields of the extension, and those of a version that hold them */
const versionFieldByField = {
  html: "html",
  css: "css",
  javascript: "javascript",
  form_definition_json: "form_definition",
};
const fields = Object.keys(versionFieldByField) as (keyof typeof versionFieldByField)[];
type Content = Record<keyof typeof versionFieldByField, string | null>;

const selectPreparedVersion = statement(
  `SELECT id, version_nr, ${Object.values(versionFieldByField).join(", ")} FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'being_prepared'`,
);
const selectVersions = statement(
  "SELECT id FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 ORDER BY id",
);
const updateVersionReferences = statement(
  "UPDATE ui_extensions SET active_version_id = $3, prepared_version_id = $4 WHERE id = $1 AND account_id = $2",
);

const buildContent = (find: (field: keyof Content, index: number) => unknown): Content =>
  Object.fromEntries(fields.map((field, index) => [field, find(field, index) ?? null])) as Content;

/** A version with this content, and with what it has of its extension. */
const buildVersionValues = ({ after }: Change, content: Content): Values => ({
  name: after.name as Value,
  hide_note: after.hide_note as Value,
  dark_mode_safe: after.dark_mode_safe as Value,
  ...Object.fromEntries(fields.map((field) => [versionFieldByField[field], content[field]])),
});

const createPreparedVersion = (change: Change, content: Content, number: number): Promise<number> =>
  change.create("ui_extension_version", {
    ...buildVersionValues(change, content),
    ui_extension: change.id,
    version_nr: number,
    status: "being_prepared",
  });

const buildActivation = (change: Change): Values => ({ status: "active", activated_at: toTimestamp(change.by.now) });

/** The extension shows this content from now on, or goes on showing what it did; the audit trail tells what was written. */
function setShownContent(
  change: Change,
  content: Content,
  written: Record<string, readonly [string | null, string | null]>,
) {
  const { before, after } = change;
  const activates = after.activate === true;
  for (const field of fields) after[field] = activates ? content[field] : (before?.[field] ?? null);
  if (activates) after.phrases = extractPhrases(content.html);
  else Object.assign(change.extraChanges, written);
}

/** What a new extension begins with, until its row is there and versions can point to it. */
const firstContents = new WeakMap<Change, Content>();

function startFirstVersion(change: Change): void {
  const content = buildContent((field) => change.after[field]);
  firstContents.set(change, content);
  change.after.phrases = [];
  const given = fields.filter((field) => content[field] !== null);
  setShownContent(change, content, Object.fromEntries(given.map((field) => [field, [null, content[field]]])));
}

/** What differs from the active version goes into the prepared one, which then may become the active one. */
async function updatePreparedVersion(change: Change): Promise<void> {
  const { tx, by, id, account, before, after, changed } = change;
  const [row] = await tx.query(selectPreparedVersion, [id, account]);
  if (row === undefined) return;
  const version = Number(row[0]);
  const old = buildContent((_, index) => row[index + 2]);
  const content = buildContent((field) => (changed.has(field) ? after[field] : old[field]));
  const written = fields.filter((field) => content[field] !== old[field]);
  setShownContent(change, content, Object.fromEntries(written.map((field) => [field, [old[field], content[field]]])));
  const activates = after.activate === true;
  const others = [...changed].some((name) => name !== "activate" && !(name in versionFieldByField));
  if (!activates && !others && written.length === 0) return;
  after.updated_by = by.person;
  if (changed.has("name"))
    for (const [each] of await tx.query(selectVersions, [id, account]))
      await change.update("ui_extension_version", Number(each), { name: after.name as Value });
  const moves = activates ? buildActivation(change) : {};
  await change.update("ui_extension_version", version, { ...buildVersionValues(change, content), ...moves });
  if (!activates) return;
  if (typeof before?.active_version === "number")
    await change.update("ui_extension_version", before.active_version, {
      status: "archived",
      archived_at: toTimestamp(by.now),
    });
  after.active_version = version;
  after.prepared_version = await createPreparedVersion(change, content, Number(row[1]) + 1);
}

export const uiExtensionRules: TypeRules = {
  beforeSave: (change) => (change.before === null ? startFirstVersion(change) : updatePreparedVersion(change)),

  /** A new extension gets its first version, and a second one to prepare when the first is active at once. */
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
};

export const uiExtensionVersionRules: TypeRules = {
  derive: {
    "version_nr, under the name it has in references": ({ after }) => after.version_nr ?? null,
    "texts of its HTML": ({ after }) => extractPhrases(after.html as string | null),
    "has a form of the designer": ({ after }) => after.form_definition !== null,
    "path of its audit trail": ({ id, after }) => `/ui_extensions/${after.ui_extension}/versions/${id}/audit`,
  },
};
