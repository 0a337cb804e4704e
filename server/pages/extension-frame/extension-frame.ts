import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listRecords } from "../../actions/portal/list-records.ts";
import { NotFound } from "../../base/errors.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import type { PageRoutes } from "../page-routes.ts";
import { parseIdParameter } from "../parse-parameters.ts";
import { loadSessionCaller } from "../session-routes.ts";

// D-398: the HTML, styles and script of a UI extension as a document of its own, for a sandboxed frame. It has an opaque
// origin, loads nothing and sends nothing but messages to the page around it.

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const protocol = read("protocol.js");
const ownStyles = read("frame.css");

type Version = {
  account: string;
  extension: number;
  html: string | null;
  css: string | null;
  javascript: string | null;
  is_active: boolean;
};
const selectVersion = jsonStatement<Version>(
  `SELECT v.account_id AS account, v.ui_extension_id AS extension, v.html, v.css, v.javascript, (e.active_version_id = v.id AND NOT e.disabled) AS is_active
FROM ui_extension_versions v JOIN ui_extensions e ON e.id = v.ui_extension_id AND e.account_id = v.account_id
WHERE v.id = $1 AND v.account_id = ANY($2::text[])`,
);

export function registerExtensionFrame({ getSignedIn }: PageRoutes): void {
  getSignedIn("/extension/:id", async (visit, params) => {
    const { pages, oauth, session, reply } = visit;
    const accounts = (await loadAccountsFor(oauth, session.person)).map(({ id }) => id);
    const version = await queryFirst(pages.engine.database, selectVersion, [parseIdParameter(params), accounts]);
    if (version === null) throw new NotFound();
    const by = await loadSessionCaller(visit, { account: version.account });
    // A form that is not for the person is as unknown as none.
    if (!(await mayReadVersion(pages.engine, by, version))) throw new NotFound();
    const nonce = randomBytes(16).toString("base64");
    return reply
      .headers({
        "Content-Security-Policy": buildContentSecurityPolicy(nonce),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      })
      .type("text/html; charset=utf-8")
      .send(buildDocument(version, nonce));
  });
}

/** Scripts run only with the nonce: neither script elements nor handlers in the HTML of the extension do. */
const buildContentSecurityPolicy = (nonce: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");

const extensionIs = (id: number): Clause => ({
  key: "of extension",
  sql: (alias, next) => `${alias}.ui_extension_id = ${next()}`,
  values: [id],
});

/** People who may read the extension itself read all its versions; others the active one of a form that is for them. */
async function mayReadVersion(engine: Engine, by: Caller, { extension, is_active }: Version): Promise<boolean> {
  const ofType = async (type: string, selection: Partial<Parameters<typeof listRecords>[3]>) =>
    (await listRecords(engine, by, type, { fields: ["id"], perPage: 1, ...selection })).total > 0;
  if (await ofType("ui_extension", { filters: [{ name: "id", value: String(extension) }] })) return true;
  if (!is_active) return false;
  const scope = { clause: extensionIs(extension), rights: "own" } as const;
  return (await ofType("request_template", { scope })) || ofType("shop_article", { scope });
}

const escapeScript = (text: string): string => text.replace(/<(?=\/script|!--|script)/gi, "\\x3C");
const escapeStyle = (text: string): string => text.replace(/<(?=\/style)/gi, "\\3C ");

function buildDocument({ html, css, javascript }: Version, nonce: string): string {
  const script = (text: string) => `<script nonce="${nonce}">${text}</script>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Form</title><style>${ownStyles}</style><style>${escapeStyle(css ?? "")}</style></head>
<body><form id="extension">${html ?? ""}</form>
${script(protocol)}
${script(escapeScript(javascript ?? ""))}</body>
</html>
`;
}
