import type { ExtensionForm } from "../../../records/answers/portal-forms.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { find } from "../../engine/find.ts";
import { parseFormDefinition, parseHtmlFields } from "./form-fields.ts";

// The form that a UI extension adds to a request template or to an article of the shop. Without a form of the designer, its
// HTML and script draw the form in a frame of its own (D-398).

type Extension = {
  title: string | null;
  html: string | null;
  javascript: string | null;
  form: string | null;
  hide_note: boolean;
  version: number | null;
};
const buildStatement = (table: "request_templates" | "shop_articles") =>
  jsonStatement<Extension>(
    `SELECT e.title, e.html, e.javascript, e.form_definition_json AS form, e.hide_note, e.active_version_id AS version
FROM ${table} t JOIN ui_extensions e ON e.id = t.ui_extension_id AND e.account_id = t.account_id
WHERE t.id = $1 AND t.account_id = $2 AND NOT e.disabled`,
  );
const statements = {
  request_template: buildStatement("request_templates"),
  shop_article: buildStatement("shop_articles"),
};

/** `id`: a record that the caller may read */
export async function loadExtensionForm(
  { database }: Engine,
  owner: keyof typeof statements,
  id: number,
  account: string,
): Promise<ExtensionForm> {
  const extension = await queryFirst(database, statements[owner], [id, account]);
  if (extension === null) return { title: null, fields: [], hide_note: false, frame: null };
  const designed = parseFormDefinition(extension.form);
  const hasScript = designed.length === 0 && (extension.javascript ?? "").trim() !== "";
  return {
    title: extension.title,
    fields: designed.length > 0 ? designed : parseHtmlFields(extension.html),
    hide_note: extension.hide_note,
    frame: hasScript ? extension.version : null,
  };
}

/** The form shown before an article is put into the cart. */
export async function loadShopArticleForm(engine: Engine, by: Caller, id: number): Promise<ExtensionForm> {
  await find(engine, by, engine.types.get("shop_article"), id, ["id"]);
  return loadExtensionForm(engine, "shop_article", id, by.account);
}
