import { getFigureTitles } from "../../../records/figures/titles/index.ts";
import { getMailTexts } from "../../../records/notifications/index.ts";
import { statement } from "../../database/database.ts";
import { parseIds, parseNumberOrNull } from "../../database/rows.ts";
import { type Account, mayWorkIn } from "../../engine/caller.ts";
import type { ComposedMail } from "../compose-mail.ts";
import { buildRecipientCaller, loadAccounts, loadMailRecipients, type MailRecipient } from "../mail-recipients.ts";
import type { Notifications } from "../notifications-context.ts";
import { renderMessage } from "../render-message.ts";
import { storeNotificationMails } from "../store-mails.ts";
import { buildUnsubscribeUrl } from "../unsubscribe.ts";
import { loadReport } from "./kept-dashboards.ts";
import { loadFigures } from "./report-figures.ts";
import type { Report } from "./report-tiles.ts";
import { planSending, seesReports } from "./schedules.ts";
import { type Frequency, findNextSending, findReportDays } from "./sending-times.ts";

// The job that sends a report. Its emails, the mark that it was sent and the next sending commit together, so a report is
// sent once however often the job runs.

const lockSchedule = statement(
  `SELECT s.account_id, s.person_id, s.report, s.frequency, s.team_id, extract(epoch FROM s.next_at),
  (SELECT json_agg(r.person_id) FROM report_schedule_recipients r WHERE r.report_schedule_id = s.id AND r.account_id = s.account_id)
FROM report_schedules s WHERE s.id = $1 FOR UPDATE OF s`,
);
const markSent = statement("UPDATE report_schedules SET next_at = $2, last_sent_at = $3 WHERE id = $1");
const deleteSchedule = statement("DELETE FROM report_schedules WHERE id = $1");

type Sending = { account: Account; report: Report; frequency: Frequency; team: number | null; now: Date };

export async function sendScheduledReport(notifications: Notifications, { id }: { id: number }): Promise<void> {
  const { engine } = notifications;
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(lockSchedule, [id]);
    if (row === undefined || Number(row[5]) * 1000 > now.getTime()) return;
    const [accountId = "", owner] = [row[0] ?? "", Number(row[1])];
    const people = await loadMailRecipients(engine, new Set([owner, ...parseIds(row[6])]), now);
    const account = (await loadAccounts(engine, [accountId])).get(accountId);
    const frequency = row[3] as Frequency;
    const report = await loadReport(tx, accountId, owner, row[2] ?? "");
    const maker = people.get(owner);
    // No person who could end it is left, or its dashboard was deleted.
    if (account === undefined || report === null || maker === undefined || !isReader(maker, account))
      return tx.send(deleteSchedule, [id]);
    const sending: Sending = { account, report, frequency, team: parseNumberOrNull(row[4]), now };
    const mails: ComposedMail[] = [];
    for (const recipient of parseIds(row[6])) {
      const reader = people.get(recipient);
      if (reader === undefined || reader.emailPreference === "never" || !isReader(reader, account)) continue;
      mails.push(await composeReport(notifications, reader, maker, sending));
    }
    await storeNotificationMails(notifications, tx, mails, now);
    const next = findNextSending(frequency, now, maker.me.zone);
    tx.send(markSent, [id, next.toISOString(), now.toISOString()]);
    planSending(tx, accountId, id, next);
  });
}

const isReader = ({ me, directory }: MailRecipient, account: Account): boolean =>
  mayWorkIn(me, directory, account) && seesReports(me.roles.get(account.id) ?? new Set());

async function composeReport(
  notifications: Notifications,
  reader: MailRecipient,
  maker: MailRecipient,
  { account, report, frequency, team, now }: Sending,
): Promise<ComposedMail> {
  const { engine, secret, origin, getAccountUrl } = notifications;
  const days = findReportDays(frequency, now, reader.me.zone);
  const by = buildRecipientCaller(reader, account, now);
  const titles = getFigureTitles(reader.me.locale);
  const record = report.ownTitle ?? (report.title === null ? titles["dashboard.own"] : titles[report.title]);
  const period = days.from === days.until ? days.from : `${days.from} – ${days.until}`;
  const query = new URLSearchParams({
    range: frequency === "monthly" ? "30" : "7",
    ...(team === null ? {} : { team: String(team) }),
  });
  // A recipient who cannot open its creator's dashboard gets a link to the page for unsubscribing.
  const isOpen = !report.isPrivate || reader.me.id === maker.me.id;
  const message = renderMessage(reader, {
    notifications: [
      { wording: getMailTexts(reader.me.locale).report, values: { report: record, period, by: maker.me.name } },
    ],
    record,
    name: "",
    texts: [],
    tables: await loadFigures({ engine, by, reader, days, team }, report),
    link: `${getAccountUrl(account.id)}${isOpen ? `${report.path}?${query}` : "/reports"}`,
    account: account.name,
    unsubscribe: buildUnsubscribeUrl(secret, origin(), reader),
  });
  const person = reader.me.id;
  const envelope = { person, recipient: reader.address, type: "person", record: person, trigger: "report" };
  return { ...message, ...envelope, account: account.id, ignoresPreferences: false };
}
