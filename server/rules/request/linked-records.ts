import type { request } from "../../../records/work/request.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";

// The writes of a saved request to the records that it refers to.

type RequestChange = Change<typeof request>;

const incrementTemplateUse = statement(
  "UPDATE request_templates SET times_applied = coalesce(times_applied, 0) + 1 WHERE id = $1",
);
const changeArticleUse = statement(
  "UPDATE knowledge_articles SET times_applied = greatest(coalesce(times_applied, 0) + $2::integer, 0) WHERE id = $1",
);
const unlinkCis = statement(
  "DELETE FROM request_cis WHERE request_id = $1 AND account_id = $3 AND ci_id IS DISTINCT FROM $2",
);
const linkCi = statement(
  "INSERT INTO request_cis (account_id, request_id, ci_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
);

export function countTemplate({ tx, before, after }: RequestChange): void {
  if (before === null && after.template !== null) tx.send(incrementTemplateUse, [after.template]);
}

/** `ci` replaces all linked configuration items. */
export function replaceLinkedCis({ tx, id, account, after, changed }: RequestChange): void {
  const ci = after.ci ?? null;
  if (!changed.has("ci") && ci === null) return;
  tx.send(unlinkCis, [id, ci, account]);
  if (ci !== null) tx.send(linkCi, [account, id, ci]);
}

export function countArticle({ tx, before, after }: RequestChange): void {
  const [previous, current] = [before?.knowledge_article ?? null, after.knowledge_article];
  if (previous === current) return;
  if (previous !== null) tx.send(changeArticleUse, [previous, -1]);
  if (current !== null) tx.send(changeArticleUse, [current, 1]);
}
