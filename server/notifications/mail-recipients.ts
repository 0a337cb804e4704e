import { statement } from "../database/database.ts";
import {
  type Account,
  accountColumns,
  buildCaller,
  type Caller,
  type Person,
  parseAccount,
  parsePerson,
  personColumns,
} from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { notificationChoicesKey, parseUnwanted, type UnwantedNotifications } from "./notification-choices.ts";

// Recipients of notifications. Each is also a caller, because emails are rendered with the recipient's permissions.

export type MailRecipient = {
  me: Person;
  address: string;
  emailPreference: "always" | "when_offline" | "never";
  excludesTeamMails: boolean;
  unwanted: UnwantedNotifications;
  isOnline: boolean;
  clock24h: boolean;
  /** the directory account of the person's own account */
  directory: string | null;
};

/** A person counts as online for this long after their last request in a session. */
const onlineMilliseconds = 10 * 60_000;

const selectPeople = statement(
  `SELECT ${personColumns}, p.primary_email, p.send_email_notifications, p.exclude_team_notifications, p.time_format_24h,
  (SELECT a.directory_account_id FROM accounts a WHERE a.id = p.account_id),
  EXISTS (SELECT 1 FROM sessions s WHERE s.person_id = p.id AND s.last_seen_at > $2),
  (SELECT k.value FROM kept_items k WHERE k.account_id = p.account_id AND k.owner = 'me ' || p.id AND k.kind = 'preference'
    AND k.key = '${notificationChoicesKey}')
FROM people p WHERE p.id = ANY($1::integer[]) AND NOT p.disabled AND p.life_cycle = 'active' AND p.primary_email LIKE '%@%'`,
);
const selectAccounts = statement(`SELECT ${accountColumns} FROM accounts WHERE id = ANY($1::text[])`);

export async function loadMailRecipients(
  engine: Engine,
  ids: Iterable<number>,
  now: Date,
): Promise<Map<number, MailRecipient>> {
  const since = new Date(now.getTime() - onlineMilliseconds).toISOString();
  const rows = await engine.database.read(selectPeople, [[...ids], since]);
  return new Map(
    rows.map((row) => {
      const [address, preference, excludesTeams, clock24h, directory, online, choices] = row.slice(8);
      const reader: MailRecipient = {
        me: parsePerson(row),
        address: address as string,
        emailPreference: (preference ?? "always") as MailRecipient["emailPreference"],
        excludesTeamMails: excludesTeams === "t",
        unwanted: parseUnwanted(choices ?? null),
        isOnline: online === "t",
        clock24h: clock24h === "t",
        directory: directory ?? null,
      };
      return [reader.me.id, reader];
    }),
  );
}

export async function loadAccounts(engine: Engine, ids: Iterable<string>): Promise<Map<string, Account>> {
  const rows = await engine.database.read(selectAccounts, [[...ids]]);
  return new Map(rows.map((row) => [row[0] as string, parseAccount(row)]));
}

/** The recipient as a caller in an account; what they change, they change by a link of the mail. */
export const buildRecipientCaller = ({ me, directory }: MailRecipient, account: Account, now: Date): Caller =>
  buildCaller(me, directory, account, { zone: me.zone, now, source: "", changeOrigin: { kind: "mail_link" } });
