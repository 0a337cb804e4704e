import { fieldLabel } from "../../records/languages/index.ts";
import { getMailTexts, pickMailLanguage, type Wording } from "../../records/notifications/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { type Account, type Caller, listReachableAccounts } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireNoteAccess } from "../engine/find.ts";
import { getTextName, rankByName } from "../mail/notification-outbox.ts";
import { loadSurveyAfter } from "../rules/communication/asked-survey.ts";
import { describeApproval } from "./approval-details.ts";
import { type AskedApproval, loadAskedApproval } from "./approval-links.ts";
import type { FigureTable } from "./figure-tables.ts";
import { formatRecordName } from "./format-values.ts";
import type { MailRecipient } from "./mail-recipients.ts";
import type { Notifications } from "./notifications-context.ts";
import { type NotificationReason, pickRecipientCaller, type RecipientView } from "./recipient-view.ts";
import { type MessageContent, type RenderedMessage, renderMessage } from "./render-message.ts";
import { buildSurveyUrl } from "./survey-links.ts";
import { buildUnsubscribeUrl } from "./unsubscribe.ts";
import { type AccountWordings, buildWordingKey, loadWordingsOnce } from "./wordings/account-wordings.ts";

// Composes one mail for one person about one record, with everything that one transaction has to report. The mail is
// rendered with the recipient's permissions: what they may not read is left out, and an empty mail is not sent.

export type ComposedMail = RenderedMessage & {
  account: string;
  person: number;
  recipient: string;
  type: string;
  record: number;
  trigger: string;
  ignoresPreferences: boolean;
  /** the secret parts of its links (D-782) */
  hiddenTexts?: readonly string[];
  /** the mail contains an internal note, so an answer becomes an internal note, too */
  isInternal?: boolean;
};

/** The words of the account for this kind of mail, else ours. */
const pickWording = (reader: MailRecipient, reason: NotificationReason, own: AccountWordings): Wording => {
  const name = getTextName(reason.definition);
  const chosen = own.get(buildWordingKey(name, pickMailLanguage(reader.me.locale)));
  return chosen ?? getMailTexts(reader.me.locale).notifications[name] ?? { title: "", text: "" };
};

export async function composeMail(
  notifications: Notifications,
  reader: MailRecipient,
  view: RecipientView,
  reasons: readonly NotificationReason[],
  context: { accounts: ReadonlyMap<string, Account>; names: ReadonlyMap<number, string>; now: Date },
): Promise<ComposedMail | null> {
  const { engine } = notifications;
  const readable: ReadableNotification[] = [];
  const texts = new Map<string, string>();
  for (const reason of [...reasons].sort((one, other) => getRank(one) - getRank(other))) {
    const by = pickRecipientCaller(reader, reason.pending.account, context);
    const content = by === null ? null : await view.load(by, reason);
    if (by === null || content === null) continue;
    for (const [key, text] of content.texts) texts.set(key, text);
    const actor = reason.pending.by === null ? undefined : context.names.get(reason.pending.by);
    const values = {
      ...toTexts(reason.pending.facts ?? {}),
      ...content.values,
      record: formatRecordName(reader, reason.about.type, reason.about.id),
      name: content.name,
      account: by.accountRecord.name,
      by: actor ?? by.accountRecord.name,
    };
    const own = await loadWordingsOnce(context, engine.database, by.account);
    readable.push({ reason, wording: pickWording(reader, reason, own), values, by, isInternal: content.isInternal });
  }
  const [first] = readable;
  if (first === undefined) return null;
  const takesAnswers = texts.size > 0 && (await mayReply(engine, first));
  const asked = readable.find(({ reason }) => reason.pending.type === "task_approval")?.reason.pending.id;
  const approval = asked === undefined ? null : await loadAskedApproval(notifications, asked, reader.me.id);
  const { tables, reason } = buildApprovalParts(reader, approval);
  return buildMail(notifications, reader, [first, ...readable.slice(1)], {
    texts: [...reason, ...texts.values()],
    tables,
    takesAnswers,
    decisions: approval?.links ?? null,
    survey: await loadSurveyLink(notifications, reader, first),
  });
}

/** AP14: what the approval is about. */
function buildApprovalParts(
  reader: MailRecipient,
  approval: AskedApproval | null,
): { tables: readonly FigureTable[]; reason: readonly string[] } {
  if (approval?.request == null) return { tables: [], reason: [] };
  const { people, order, reason } = describeApproval(reader, approval.request);
  const request = [fieldLabel(reader.me.locale, "request"), approval.request.subject] as const;
  const tables = [
    { title: "", rows: [request, ...people], isText: true },
    ...(order.length === 0 ? [] : [{ title: "", rows: order }]),
  ];
  return { tables, reason: reason === null ? [] : [reason] };
}

/** SV7: the person notified that a request is completed gets the survey of its service. */
async function loadSurveyLink(
  notifications: Notifications,
  reader: MailRecipient,
  { by, reason: { definition, about } }: ReadableNotification,
): Promise<MessageContent["survey"]> {
  if (definition.trigger !== "request/completed") return null;
  const asked = await loadSurveyAfter(
    notifications.engine,
    { id: about.id, accounts: listReachableAccounts(by) },
    reader.me.id,
  );
  if (asked === null) return null;
  const { service } = asked;
  return { service: service.name, address: buildSurveyUrl(notifications, service.id, reader.me.id) };
}

/** A reply becomes a note, so the recipient needs the permission to write one. */
async function mayReply(engine: Engine, { by, reason: { about } }: ReadableNotification): Promise<boolean> {
  if (about.type.children.notes?.addedBy === "readers") return true; // read access was checked before
  try {
    await requireNoteAccess(engine, by, about.type, about.id);
    return true;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound || error instanceof Invalid) return false;
    throw error;
  }
}

type ReadableNotification = {
  reason: NotificationReason;
  wording: Wording;
  values: Record<string, string>;
  by: Caller;
  isInternal: boolean;
};

const toTexts = (facts: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));

function buildMail(
  { origin, getAccountUrl, secret }: Notifications,
  reader: MailRecipient,
  readable: readonly [ReadableNotification, ...ReadableNotification[]],
  body: Pick<MessageContent, "texts" | "tables" | "takesAnswers" | "decisions" | "survey">,
): ComposedMail {
  const [first] = readable;
  const { about, definition } = first.reason;
  // Embedded fields report on a record that the recipient may not open.
  const hidesRecord = definition.embeddedFields !== undefined;
  const content: MessageContent = {
    notifications: readable,
    record: hidesRecord ? null : (first.values.record as string),
    name: hidesRecord || about.type.display === "id" ? "" : (first.values.name as string),
    ...body,
    link: hidesRecord ? null : `${getAccountUrl(first.by.account)}/${about.type.collection}/${about.id}`,
    account: first.by.accountRecord.name,
    unsubscribe: buildUnsubscribeUrl(secret, origin(), reader),
  };
  return {
    ...renderMessage(reader, content),
    account: first.by.account,
    person: reader.me.id,
    recipient: reader.address,
    type: about.type.name,
    record: about.id,
    trigger: definition.trigger,
    hiddenTexts: listSignatures(body),
    ignoresPreferences: readable.some(({ reason }) => reason.definition.ignoresPreferences === true),
    isInternal: readable.some(({ isInternal }) => isInternal),
  };
}

/** Links to decide and to answer a survey need no session. Unsubscribing can be done by administrators anyway. */
const listSignatures = ({ decisions, survey }: Pick<MessageContent, "decisions" | "survey">): string[] =>
  [decisions?.approved, decisions?.rejected, survey?.address].flatMap((link) =>
    link === undefined ? [] : [link.slice(link.lastIndexOf("/") + 1)],
  );

const getRank = ({ pending }: NotificationReason): number => rankByName.get(pending.row) ?? 0;
