import { NotFound } from "../base/errors.ts";
import { jsonStatement, queryFirst } from "../database/rows.ts";
import { buildTargetUri, type ShortUrlTarget, targetColumns } from "../rules/asset/short-url.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { html } from "./layout/html.ts";
import { renderLayout } from "./layout/layout.ts";
import type { PageRoutes } from "./page-routes.ts";
import { redirectTo, sendPage } from "./responses.ts";

// CO39: GET /s/<letters> redirects to the target of a short URL, for everyone who has its letters. Pages of the account then
// ask for a sign-in themselves.

type Row = ShortUrlTarget & { account_id: string; plain_text: string | null };

const columns = targetColumns.map((name) =>
  ["ci", "knowledge_article", "request_template"].includes(name)
    ? `${name}_id::text AS ${name}`
    : `${quoteIdentifier(name)}::text AS ${quoteIdentifier(name)}`,
);
const selectTarget = jsonStatement<Row>(
  `SELECT account_id, plain_text, ${columns.join(", ")} FROM short_urls WHERE letters = $1 ORDER BY id LIMIT 1`,
);

export function registerShortUrls({ get }: PageRoutes): void {
  get("/s/:letters", async (visit, { letters = "" }) => {
    const { pages, reply } = visit;
    const row = /^[a-z]{8}$/.test(letters) ? await queryFirst(pages.engine.database, selectTarget, [letters]) : null;
    if (row === null) throw new NotFound();
    const uri = buildTargetUri(row, `/a/${encodeURIComponent(row.account_id)}`);
    if (uri !== null) return redirectTo(reply, uri);
    if (row.plain_text === null) throw new NotFound();
    const lines = row.plain_text.split("\n").map((line, at) => [at > 0 && html`<br>`, line]);
    return sendPage(
      reply,
      renderLayout(visit, { title: "Text", body: html`<div class="card"><p>${lines}</p></div>`, narrow: true }),
    );
  });
}
