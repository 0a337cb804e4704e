import { getMailTexts, type Wording } from "../../records/notifications/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireNoteAccess } from "../engine/find.ts";
import { getTextName, rankByName } from "../mail/notification-outbox.ts";
import type { Notifications } from "./context.ts";
import { formatRecordName } from "./format-values.ts";
import type { MailRecipient } from "./mail-recipients.ts";
import { type NotificationReason, pickRecipientCaller, RecipientView } from "./recipient-view.ts";
import { type MessageContent, type RenderedMessage, renderMessage } from "./render-message.ts";
import { buildUnsubscribeUrl } from "./unsubscribe.ts";

// One mail for one person about one record: everything that one change has to tell them, read with their own eyes. What
// they may not read is left out, and where nothing is left there is no mail.

export type ComposedMail = RenderedMessage & {
  account: string;
  person: number;
  recipient: string;
  type: string;
  record: number;
  trigger: string;
  ignoresPreferences: boolean;
  /** it shows a note that is not for everybody: neither is the answer */
  isInternal?: boolean;
};

const pickWording = (reader: MailRecipient, reason: NotificationReason): Wording =>
  getMailTexts(reader.me.locale).notifications[getTextName(reason.definition)] ?? { title: "", text: "" };

export async function composeMail(
  notifications: Notifications,
  reader: MailRecipient,
  reasons: readonly NotificationReason[],
  place: { accounts: ReadonlyMap<string, Account>; names: ReadonlyMap<number, string>; now: Date },
): Promise<ComposedMail | null> {
  const { engine } = notifications;
  const notices: ReadableNotification[] = [];
  const sight = new RecipientView(engine, reader, reasons);
  const texts = new Map<string, string>();
  for (const reason of [...reasons].sort((one, other) => getRank(one) - getRank(other))) {
    const by = pickRecipientCaller(reader, reason.pending.account, place);
    const read = by === null ? null : await sight.load(by, reason);
    if (by === null || read === null) continue;
    for (const [key, text] of read.texts) texts.set(key, text);
    const actor = reason.pending.by === null ? undefined : place.names.get(reason.pending.by);
    const values = {
      ...toTexts(reason.pending.facts ?? {}),
      ...read.values,
      record: formatRecordName(reader, reason.about.type, reason.about.id),
      name: read.name,
      account: by.accountRecord.name,
      by: actor ?? by.accountRecord.name,
    };
    notices.push({ reason, wording: pickWording(reader, reason), values, by, isInternal: read.isInternal });
  }
  const [first] = notices;
  if (first === undefined) return null;
  const takesAnswers = texts.size > 0 && (await mayReply(engine, first));
  return buildMail(notifications, reader, first, notices, { texts: [...texts.values()], takesAnswers });
}

/** Whoever may only read a record has nothing to answer there. */
async function mayReply(engine: Engine, { by, reason: { about } }: ReadableNotification): Promise<boolean> {
  if (about.type.children.notes?.addedBy === "readers") return true; // they have just read it
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
  { origin, secret }: Notifications,
  reader: MailRecipient,
  first: ReadableNotification,
  notices: readonly ReadableNotification[],
  said: Pick<MessageContent, "texts" | "takesAnswers">,
): ComposedMail {
  const { about, definition: row } = first.reason;
  const isClosed = row.embeddedFields !== undefined;
  const content: MessageContent = {
    notifications: notices,
    record: isClosed ? null : (first.values.record as string),
    name: isClosed || about.type.display === "id" ? "" : (first.values.name as string),
    ...said,
    link: isClosed ? null : `${origin()}/a/${first.by.account}/${about.type.collection}/${about.id}`,
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
    trigger: row.trigger,
    ignoresPreferences: notices.some(({ reason }) => reason.definition.ignoresPreferences === true),
    isInternal: notices.some(({ isInternal }) => isInternal),
  };
}

const getRank = ({ pending: told }: NotificationReason): number => rankByName.get(told.row) ?? 0;
