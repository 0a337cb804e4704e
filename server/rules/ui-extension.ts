import { stampOf } from "../base/clock.ts";
import type { Change, TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { phrasesOf } from "./phrases.ts";

// A UI extension has versions: one that is being prepared and takes what is written, one that is active and is shown,
// and those that were active before. `activate` moves the prepared one on and prepares the next, with the same content.

/** the fields of the extension, and the columns of a version that hold them */
const contents = { html: "html", css: "css", javascript: "javascript", form_definition_json: "form_definition" };
const fields = Object.keys(contents) as (keyof typeof contents)[];
type Content = Record<keyof typeof contents, string | null>;
const columns = Object.values(contents).join(", ");

const preparedOf = statement(
  `SELECT id, version_nr, ${columns} FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'being_prepared'`,
);
const insert = statement(
  `INSERT INTO ui_extension_versions (id, account_id, ui_extension_id, view_audit_path, name, hide_note, dark_mode_safe, ${columns}, phrases, use_designer, version_nr, version, status, activated_at, created_at, updated_at)
SELECT v.id, $1, $2::integer, '/ui_extensions/' || $2 || '/versions/' || v.id || '/audit', $3, $4, $5, $6, $7, $8, $9::text, $10::text[], $9 IS NOT NULL, $11::integer, $11, $12::text, CASE WHEN $12 = 'active' THEN $13::timestamptz END, $13, $13
FROM (SELECT nextval('ui_extension_versions_id_seq')::integer AS id) v RETURNING id`,
);
const rewrite = statement(
  `UPDATE ui_extension_versions SET hide_note = $3, dark_mode_safe = $4, html = $5, css = $6, javascript = $7, form_definition = $8::text, phrases = $9::text[], use_designer = $8 IS NOT NULL, status = $10::text, activated_at = CASE WHEN $10 = 'active' THEN $11::timestamptz END, updated_at = $11
WHERE id = $1 AND account_id = $2`,
);
const retire = statement(
  "UPDATE ui_extension_versions SET status = 'archived', archived_at = $3, updated_at = $3 WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'active'",
);
const rename = statement("UPDATE ui_extension_versions SET name = $3 WHERE ui_extension_id = $1 AND account_id = $2");
const point = statement(
  "UPDATE ui_extensions SET active_version_id = $3, prepared_version_id = $4 WHERE id = $1 AND account_id = $2",
);

const contentOf = (find: (field: keyof Content, index: number) => unknown): Content =>
  Object.fromEntries(fields.map((field, index) => [field, find(field, index) ?? null])) as Content;

/** What a version has of its extension beside the content, and the content itself. */
const traits = ({ after }: Change, content: Content) => [
  after.hide_note as boolean,
  after.dark_mode_safe as boolean,
  ...fields.map((field) => content[field]),
  phrasesOf(content.html),
];

async function addVersion(change: Change, content: Content, number: number, status: string): Promise<number> {
  const { tx, by, id, after } = change;
  const values = [by.account, id, after.name as string, ...traits(change, content), number, status, stampOf(by.now)];
  const rows = await tx.query(insert, values);
  return Number(rows[0]?.[0]);
}

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
  const { tx, by, id, after, changed } = change;
  const [row] = await tx.query(preparedOf, [id, by.account]);
  if (row === undefined) return;
  const old = contentOf((_, index) => row[index + 2]);
  const content = contentOf((field) => (changed.has(field) ? after[field] : old[field]));
  const written = fields.filter((field) => content[field] !== old[field]);
  show(change, content, Object.fromEntries(written.map((field) => [field, [old[field], content[field]]])));
  const activates = after.activate === true;
  const others = [...changed].some((name) => name !== "activate" && !(name in contents));
  if (!activates && !others && written.length === 0) return;
  const now = stampOf(by.now);
  after.updated_by = by.person;
  if (changed.has("name") && after.name !== null) tx.send(rename, [id, by.account, after.name as string]);
  if (activates) tx.send(retire, [id, by.account, now]);
  const status = activates ? "active" : "being_prepared";
  tx.send(rewrite, [Number(row[0]), by.account, ...traits(change, content), status, now]);
  if (!activates || after.name === null) return;
  after.active_version = Number(row[0]);
  after.prepared_version = await addVersion(change, content, Number(row[1]) + 1, "being_prepared");
}

export const uiExtensionRules: TypeRules = {
  check: (change) => (change.before === null ? begin(change) : write(change)),

  /** A new extension gets its first version, and a second one to prepare when the first is active at once. */
  async saved(change) {
    const { tx, by, id, after } = change;
    const content = beginnings.get(change);
    if (content === undefined) return;
    const activates = after.activate === true;
    const first = await addVersion(change, content, 1, activates ? "active" : "being_prepared");
    after.active_version = activates ? first : null;
    after.prepared_version = activates ? await addVersion(change, content, 2, "being_prepared") : first;
    tx.send(point, [id, by.account, after.active_version, after.prepared_version]);
  },
};
