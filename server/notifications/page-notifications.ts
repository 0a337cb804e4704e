import { pageNotificationKinds } from "../../records/notifications/page-notifications.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import type { Account } from "../engine/caller.ts";
import { rankByName } from "../mail/notification-outbox.ts";
import type { MailRecipient } from "./mail-recipients.ts";
import { isWanted } from "./notification-choices.ts";
import { type NotificationReason, pickRecipientCaller, type RecipientView } from "./recipient-view.ts";
import { getIncludedNote } from "./recipients.ts";

// Notifications in the page: the same table and the same recipients as emails, but with a separate choice per kind.
// Each is about one record and has the first of its reasons that the person may read.

export type PageNotification = {
  account: string;
  person: number;
  kind: string;
  trigger: string;
  type: string;
  record: number;
  note: number | null;
  by: number | null;
};

export const pageNotificationsChannel = "page_notifications";
/** Older ones are deleted. */
const keptDays = 60;

export async function composePageNotification(
  reader: MailRecipient,
  view: RecipientView,
  reasons: readonly NotificationReason[],
  context: { accounts: ReadonlyMap<string, Account>; now: Date },
): Promise<PageNotification | null> {
  const shown = reasons
    .filter(({ definition: { trigger } }) => pageNotificationKinds[trigger] !== undefined)
    .filter(({ definition: { trigger } }) => isWanted(reader.unwanted, "page", trigger))
    .sort((one, other) => getRank(one) - getRank(other));
  for (const reason of shown) {
    const { definition, pending, about } = reason;
    const by = pickRecipientCaller(reader, pending.account, context);
    if (by === null || !(await view.isReadable(by, reason))) continue;
    return {
      account: by.account,
      person: reader.me.id,
      kind: pageNotificationKinds[definition.trigger] as string,
      trigger: definition.trigger,
      type: about.type.name,
      record: about.id,
      note: getIncludedNote(definition, pending)?.id ?? null,
      by: pending.by,
    };
  }
  return null;
}

const getRank = ({ pending }: NotificationReason): number => rankByName.get(pending.row) ?? 0;

const insert = statement(
  `WITH written AS (
  INSERT INTO page_notifications (account_id, person_id, kind, trigger, record_type, record_id, note_id, by_id, created_at)
  SELECT x.account, x.person, x.kind, x.trigger, x.type, x.record, x.note, x.by, $1
  FROM unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[], $9::integer[])
    AS x(account, person, kind, trigger, type, record, note, by)
  WHERE NOT EXISTS (SELECT 1 FROM muted_records m WHERE m.account_id = x.account AND m.person_id = x.person AND m.record_id = x.record AND m.record_type = x.type)
  RETURNING person_id
), expired AS (
  DELETE FROM page_notifications WHERE account_id = ANY($2::text[]) AND person_id = ANY($3::integer[]) AND created_at < $1::timestamptz - interval '${keptDays} days'
)
SELECT pg_notify('${pageNotificationsChannel}', json_agg(DISTINCT person_id)::text) FROM written HAVING count(*) > 0`,
);

export function storePageNotifications(tx: Transaction, list: readonly PageNotification[], now: Date): void {
  if (list.length === 0) return;
  tx.send(insert, [
    now.toISOString(),
    list.map(({ account }) => account),
    list.map(({ person }) => person),
    list.map(({ kind }) => kind),
    list.map(({ trigger }) => trigger),
    list.map(({ type }) => type),
    list.map(({ record }) => record),
    list.map(({ note }) => note),
    list.map(({ by }) => by),
  ]);
}

const countUnread = statement(
  "SELECT count(*) FROM page_notifications WHERE person_id = $1 AND account_id = $2 AND read_at IS NULL",
);

export async function countUnreadNotifications(
  database: Database,
  { person, account }: { person: number; account: string },
): Promise<number> {
  const [row] = await database.read(countUnread, [person, account]);
  return Number(row?.[0] ?? 0);
}
