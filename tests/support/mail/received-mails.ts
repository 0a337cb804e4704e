import { showTexts } from "../../../server/mail/hidden-texts.ts";
import type { World } from "../world.ts";

/** An email as its recipient gets it. In the database, placeholders replace secrets (D-782). */
export type ReceivedText = { id: number; account_id: string; recipient: string; subject: string; body: string };

/** Loads the emails that meet an SQL condition, oldest first. */
export async function loadReceivedTexts(
  { sql }: Pick<World, "sql">,
  condition: string,
  values: unknown[] = [],
): Promise<ReceivedText[]> {
  const [fact] = await sql<{ value: string }>("SELECT value FROM instance_facts WHERE name = 'secret'");
  const rows = await sql<ReceivedText & { sealed_texts: string | null }>(
    `SELECT id, account_id, recipient, subject, body, sealed_texts FROM mails WHERE ${condition} ORDER BY id`,
    values,
  );
  return rows.map(({ sealed_texts, ...mail }) => {
    const [body = ""] = showTexts(fact?.value ?? "", mail.account_id, sealed_texts, [mail.body]);
    return { ...mail, body };
  });
}
