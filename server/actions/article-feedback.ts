import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { articleFeedback, articleMark } from "../../records/answers/feedback.ts";
import { toTimestamp } from "../base/clock.ts";
import { Invalid } from "../base/errors.ts";
import { statement, type Transaction } from "../database/database.ts";
import { jsonStatement, queryRows } from "../database/rows.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { isStorable } from "../engine/kinds/kind.ts";

// Readers' feedback on a knowledge article: it helped, or it is out of date, and why (D-372).

export type ArticleMark = AnswerOf<typeof articleMark>;
type ArticlePlace = { id: number; account: string };
/** Notifies the author in the transaction of the mark; the notifications module provides it. */
export type TellAuthor = (tx: Transaction, author: number) => void;

const maxNote = 2000;
const shownComments = 50;

const saveMark = statement(
  `INSERT INTO knowledge_article_marks (account_id, knowledge_article_id, person_id, mark, note, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (knowledge_article_id, person_id, account_id) DO UPDATE SET mark = excluded.mark, note = excluded.note, created_at = excluded.created_at`,
);
const selectAuthor = statement("SELECT updated_by_id FROM knowledge_articles WHERE id = $1 AND account_id = $2");

export function parseNote(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const isText = typeof value === "string" && isStorable(value) && value.length <= maxNote;
  if (!isText) throw new Invalid([["note", "is not valid"]]);
  return value.trim() === "" ? null : value.trim();
}

/** Stores the caller's feedback on the article and notifies the author of feedback that needs work. */
export async function markArticle(
  engine: Engine,
  by: Caller,
  { id, account }: ArticlePlace,
  { mark, note }: { mark: ArticleMark; note: string | null },
  tellAuthor: TellAuthor,
): Promise<void> {
  await engine.database.transaction(async (tx) => {
    tx.send(saveMark, [account, id, by.person, mark, note, toTimestamp(by.now)]);
    const [row] = await tx.query(selectAuthor, [id, account]);
    const author = Number(row?.[0] ?? 0);
    if (author > 0 && author !== by.person && (mark === "outdated" || note !== null)) tellAuthor(tx, author);
  });
}

type ArticleFeedback = AnswerOf<typeof articleFeedback>;

// "Out of date" counts until the article is changed; that it helped stays true.
const selectSummary = jsonStatement<Omit<ArticleFeedback, "comments">>(
  `SELECT count(*) FILTER (WHERE m.mark = 'useful')::integer AS useful,
  count(*) FILTER (WHERE m.mark = 'outdated' AND m.created_at >= a.updated_at)::integer AS outdated,
  max(m.mark) FILTER (WHERE m.person_id = $3 AND (m.mark = 'useful' OR m.created_at >= a.updated_at)) AS mine
FROM knowledge_articles a LEFT JOIN knowledge_article_marks m ON m.knowledge_article_id = a.id AND m.account_id = a.account_id
WHERE a.id = $1 AND a.account_id = $2`,
);
const selectComments = jsonStatement<ArticleFeedback["comments"][number]>(
  `SELECT json_build_object('id', p.id, 'name', p.name) AS person, m.mark, m.note, m.created_at
FROM knowledge_article_marks m JOIN people p ON p.id = m.person_id
WHERE m.knowledge_article_id = $1 AND m.account_id = $2 AND m.note IS NOT NULL ORDER BY m.created_at DESC, m.person_id LIMIT ${shownComments}`,
);

/** `withComments`: for people who may write the article; everyone else sees numbers. */
export async function loadArticleFeedback(
  engine: Engine,
  by: Caller,
  { id, account }: ArticlePlace,
  withComments: boolean,
): Promise<ArticleFeedback> {
  const [[summary], comments] = await Promise.all([
    queryRows(engine.database, selectSummary, [id, account, by.person]),
    withComments ? queryRows(engine.database, selectComments, [id, account]) : [],
  ]);
  return { useful: 0, outdated: 0, mine: null, ...summary, comments };
}
