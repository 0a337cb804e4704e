import { stampOf } from "../base/clock.ts";
import type { Value } from "../engine/kinds/kind.ts";
import type { Change, TypeRules, Values } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { phrasesOf } from "./phrases.ts";

// A UI extension has versions: one that is being prepared and takes what is written, one that is active and is shown,
// and those that were active before. `activate` moves the prepared one on and prepares the next, with the same content.

/** the fields of the extension, and those of a version that hold them */
const contents = { html: "html", css: "css", javascript: "javascript", form_definition_json: "form_definition" };
const fields = Object.keys(contents) as (keyof typeof contents)[];
type Content = Record<keyof typeof contents, string | null>;

const preparedOf = statement(
  `SELECT id, version_nr, ${Object.values(contents).join(", ")} FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'being_prepared'`,
);
const all = statement(
  "SELECT id FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 ORDER BY id",
);
const point = statement(
  "UPDATE ui_extensions SET active_version_id = $3, prepared_version_id = $4 WHERE id = $1 AND account_id = $2",
);

const contentOf = (find: (field: keyof Content, index: number) => unknown): Content =>
  Object.fromEntries(fields.map((field, index) => [field, find(field, index) ?? null])) as Content;

/** A version with this content, and with what it has of its extension. */
const versionOf = ({ after }: Change, content: Content): Values => ({
  name: after.name as Value,
  hide_note: after.hide_note as Value,
  dark_mode_safe: after.dark_mode_safe as Value,
  ...Object.fromEntries(fields.map((field) => [contents[field], content[field]])),
});

const prepare = (change: Change, content: Content, number: number): Promise<number> =>
  change.create("ui_extension_version", {
    ...versionOf(change, content),
    ui_extension: change.id,
    version_nr: number,
    status: "being_prepared",
  });

const activation = (change: Change): Values => ({ status: "active", activated_at: stampOf(change.by.now) });

/** The extension shows this content from now on, or goes on showing what it did; the audit trail tells what was written. */
function show(change: Change, content: Content, written: Record<string, readonly [string | null, string | null]>) {
  const { before, after } = change;
  const activates = after.activate === true;
  for (const field of fields) after[field] = activates ? content[field] : (before?.[field] ?? null);
  if (activates) after.phrases = phrasesOf(content.html);
  else Object.assign(change.told, written);
}

/** What a new extension begins with, until its row is there and versions can point to it. */
const beginnings = new WeakMap<Change, Content>();

function begin(change: Change): void {
  const content = contentOf((field) => change.after[field]);
  beginnings.set(change, content);
  change.after.phrases = [];
  const given = fields.filter((field) => content[field] !== null);
  show(change, content, Object.fromEntries(given.map((field) => [field, [null, content[field]]])));
}

/** What differs from the active version goes into the prepared one, which then may become the active one. */
async function write(change: Change): Promise<void> {
  const { tx, by, id, account, before, after, changed } = change;
  const [row] = await tx.query(preparedOf, [id, account]);
  if (row === undefined) return;
  const version = Number(row[0]);
  const old = contentOf((_, index) => row[index + 2]);
  const content = contentOf((field) => (changed.has(field) ? after[field] : old[field]));
  const written = fields.filter((field) => content[field] !== old[field]);
  show(change, content, Object.fromEntries(written.map((field) => [field, [old[field], content[field]]])));
  const activates = after.activate === true;
  const others = [...changed].some((name) => name !== "activate" && !(name in contents));
  if (!activates && !others && written.length === 0) return;
  after.updated_by = by.person;
  if (changed.has("name"))
    for (const [each] of await tx.query(all, [id, account]))
      await change.update("ui_extension_version", Number(each), { name: after.name as Value });
  const moves = activates ? activation(change) : {};
  await change.update("ui_extension_version", version, { ...versionOf(change, content), ...moves });
  if (!activates) return;
  if (typeof before?.active_version === "number")
    await change.update("ui_extension_version", before.active_version, {
      status: "archived",
      archived_at: stampOf(by.now),
    });
  after.active_version = version;
  after.prepared_version = await prepare(change, content, Number(row[1]) + 1);
}

export const uiExtensionRules: TypeRules = {
  check: (change) => (change.before === null ? begin(change) : write(change)),

  /** A new extension gets its first version, and a second one to prepare when the first is active at once. */
  async saved(change) {
    const { tx, id, account, after } = change;
    const content = beginnings.get(change);
    if (content === undefined) return;
    const first = await prepare(change, content, 1);
    const activates = after.activate === true;
    if (activates) await change.update("ui_extension_version", first, activation(change));
    after.active_version = activates ? first : null;
    after.prepared_version = activates ? await prepare(change, content, 2) : first;
    tx.send(point, [id, account, after.active_version, after.prepared_version]);
  },
};

export const uiExtensionVersionRules: TypeRules = {
  derive: {
    "version_nr, under the name it has in references": ({ after }) => after.version_nr ?? null,
    "texts of its HTML": ({ after }) => phrasesOf(after.html as string | null),
    "has a form of the designer": ({ after }) => after.form_definition !== null,
    "path of its audit trail": ({ id, after }) => `/ui_extensions/${after.ui_extension}/versions/${id}/audit`,
  },
};
