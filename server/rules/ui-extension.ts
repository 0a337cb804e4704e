import { stampOf } from "../base/clock.ts";
import type { Change, TypeRules, Values } from "../engine/rules.ts";
import { type Row, statement } from "../storage/database.ts";
import { phrasesOf } from "./phrases.ts";

// A UI extension has versions: one that is being prepared and takes what is written, one that is active and is shown,
// and those that were active before. `activate` moves the prepared one on and prepares the next, with the same content.

/** the fields of the extension, and the columns of a version that they are written to */
const contents = { html: "html", css: "css", javascript: "javascript", form_definition_json: "form_definition" };
const fields = Object.keys(contents) as (keyof typeof contents)[];
type Content = Record<keyof typeof contents, string | null>;

const columns = Object.values(contents).join(", ");
const prepared = statement(
  `SELECT id, version_nr, ${columns} FROM ui_extension_versions WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'being_prepared' FOR UPDATE`,
);
const insert = statement(
  `INSERT INTO ui_extension_versions (id, account_id, ui_extension_id, view_audit_path, name, hide_note, dark_mode_safe, ${columns}, phrases, use_designer, version_nr, version, status, activated_at, created_at, updated_at)
SELECT v.id, $1, $2::integer, '/ui_extensions/' || $2 || '/versions/' || v.id || '/audit', $3, $4, $5, $6, $7, $8, $9, $10::text[], $9::text IS NOT NULL, $11::integer, $11, $12::text, CASE WHEN $12 = 'active' THEN $13::timestamptz END, $13, $13
FROM (SELECT nextval('ui_extension_versions_id_seq')::integer AS id) v RETURNING id`,
);
const rewrite = statement(
  `UPDATE ui_extension_versions SET hide_note = $3, dark_mode_safe = $4, html = $5, css = $6, javascript = $7, form_definition = $8, phrases = $9, use_designer = $8::text IS NOT NULL, status = $10::text, activated_at = CASE WHEN $10 = 'active' THEN $11::timestamptz END, updated_at = $11
WHERE id = $1 AND account_id = $2`,
);
const retire = statement(
  "UPDATE ui_extension_versions SET status = 'archived', archived_at = $3, updated_at = $3 WHERE ui_extension_id = $1 AND account_id = $2 AND status = 'active'",
);
const rename = statement("UPDATE ui_extension_versions SET name = $3 WHERE ui_extension_id = $1 AND account_id = $2");
const point = statement(
  `UPDATE ui_extensions SET active_version_id = $3, prepared_version_id = $4, active_html = $5, active_css = $6, active_javascript = $7, active_form_definition = $8, phrases = $9
WHERE id = $1 AND account_id = $2`,
);

const listOf = (content: Content) => fields.map((field) => content[field]);

async function addVersion(change: Change, content: Content, number: number, status: string): Promise<number> {
  const { tx, by, id, after } = change;
  const rows = await tx.query(insert, [
    by.account,
    id,
    after.name as string,
    after.hide_note as boolean,
    after.dark_mode_safe as boolean,
    ...listOf(content),
    phrasesOf(content.html),
    number,
    status,
    stampOf(by.now),
  ]);
  return Number(rows[0]?.[0]);
}

/** What the extension shows from now on. */
function show(after: Values, version: number, content: Content): void {
  after.active_version = version;
  after.active_html = content.html;
  after.active_css = content.css;
  after.active_javascript = content.javascript;
  after.active_form_definition = content.form_definition_json;
  after.phrases = phrasesOf(content.html);
}

/** An extension that exists: what was given goes into its prepared version, which then may become the active one. */
async function writeInto(row: Row, change: Change): Promise<void> {
  const { tx, by, id, after, changed } = change;
  const before = change.before as Values;
  const [version, number] = [Number(row[0]), Number(row[1])];
  const content = {} as Content;
  let written = false;
  fields.forEach((field, index) => {
    const old = row[index + 2] ?? null;
    content[field] = field in after ? ((after[field] ?? null) as string | null) : old;
    if (content[field] !== old) written = true;
    // The audit trail tells what the prepared version said before.
    if (field in after) before[field] = old;
  });
  const activates = after.activate === true;
  const others = [...changed].some((name) => name !== "activate" && !(name in contents));
  if (!activates && !written && !others) return;
  after.updated_by = by.person;
  const now = stampOf(by.now);
  if (changed.has("name")) tx.send(rename, [id, by.account, after.name as string]);
  if (activates) tx.send(retire, [id, by.account, now]);
  tx.send(rewrite, [
    version,
    by.account,
    after.hide_note as boolean,
    after.dark_mode_safe as boolean,
    ...listOf(content),
    phrasesOf(content.html),
    activates ? "active" : "being_prepared",
    now,
  ]);
  if (!activates) return;
  show(after, version, content);
  after.prepared_version = await addVersion(change, content, number + 1, "being_prepared");
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const uiExtensionRules: TypeRules = {
  async check(change) {
    const { tx, by, id, before, after, problem } = change;
    const form = after.form_definition_json;
    if (typeof form === "string" && !isJson(form)) problem("form_definition_json", "is not valid");
    if (before === null) after.phrases = [];
    // A name that is no name is refused in a moment; there is nothing to write then.
    else if (typeof after.name === "string") {
      const [row] = await tx.query(prepared, [id, by.account]);
      if (row !== undefined) await writeInto(row, change);
    }
  },

  /** A new extension gets its first version, and a second one to prepare when the first is active at once. */
  async saved(change) {
    const { tx, by, id, before, after } = change;
    if (before !== null) return;
    const content = Object.fromEntries(fields.map((field) => [field, after[field] ?? null])) as Content;
    const activates = after.activate === true;
    const first = await addVersion(change, content, 1, activates ? "active" : "being_prepared");
    if (activates) show(after, first, content);
    after.prepared_version = activates ? await addVersion(change, content, 2, "being_prepared") : first;
    tx.send(point, [
      id,
      by.account,
      after.active_version as number | null,
      after.prepared_version,
      after.active_html as string | null,
      after.active_css as string | null,
      after.active_javascript as string | null,
      after.active_form_definition as string | null,
      after.phrases as string[],
    ]);
  },
};
