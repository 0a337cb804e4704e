import { getMailTexts, type Wording } from "../../records/notifications/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { requireNoteAccess } from "../engine/find.ts";
import { textOf, weightOf } from "../mail/notices.ts";
import type { Notifications } from "./context.ts";
import { type Content, type Message, messageFor } from "./message.ts";
import type { Reader } from "./readers.ts";
import { type Reason, readsAs, Sight } from "./sight.ts";
import { unsubscribeAddress } from "./unsubscribe.ts";
import { recordName } from "./words.ts";

// One mail for one person about one record: everything that one change has to tell them, read with their own eyes. What
// they may not read is left out, and where nothing is left there is no mail.

export type Written = Message & {
  account: string;
  person: number;
  recipient: string;
  type: string;
  record: number;
  trigger: string;
  regardless: boolean;
  /** it shows a note that is not for everybody: neither is the answer */
  isInternal?: boolean;
};

const wordingOf = (reader: Reader, reason: Reason): Wording =>
  getMailTexts(reader.me.locale).notifications[textOf(reason.row)] ?? { title: "", text: "" };

export async function write(
  notifications: Notifications,
  reader: Reader,
  reasons: readonly Reason[],
  place: { accounts: ReadonlyMap<string, Account>; names: ReadonlyMap<number, string>; now: Date },
): Promise<Written | null> {
  const { engine } = notifications;
  const notices: Notice[] = [];
  const sight = new Sight(engine, reader, reasons);
  const texts = new Map<string, string>();
  for (const reason of [...reasons].sort((one, other) => weight(one) - weight(other))) {
    const by = readsAs(reader, reason.told.account, place);
    const read = by === null ? null : await sight.of(by, reason);
    if (by === null || read === null) continue;
    for (const [key, text] of read.texts) texts.set(key, text);
    const actor = reason.told.by === null ? undefined : place.names.get(reason.told.by);
    const values = {
      ...textsOf(reason.told.facts ?? {}),
      ...read.values,
      record: recordName(reader, reason.about.type, reason.about.id),
      name: read.name,
      account: by.accountRecord.name,
      by: actor ?? by.accountRecord.name,
    };
    notices.push({ reason, wording: wordingOf(reader, reason), values, by, isInternal: read.isInternal });
  }
  const [first] = notices;
  if (first === undefined) return null;
  const takesAnswers = texts.size > 0 && (await mayAnswer(engine, first));
  return mailOf(notifications, reader, first, notices, { texts: [...texts.values()], takesAnswers });
}

/** Whoever may only read a record has nothing to answer there. */
async function mayAnswer(engine: Engine, { by, reason: { about } }: Notice): Promise<boolean> {
  if (about.type.children.notes?.addedBy === "readers") return true; // they have just read it
  try {
    await requireNoteAccess(engine, by, about.type, about.id);
    return true;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound || error instanceof Invalid) return false;
    throw error;
  }
}

type Notice = { reason: Reason; wording: Wording; values: Record<string, string>; by: Caller; isInternal: boolean };

const textsOf = (facts: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));

function mailOf(
  { origin, secret }: Notifications,
  reader: Reader,
  first: Notice,
  notices: readonly Notice[],
  said: Pick<Content, "texts" | "takesAnswers">,
): Written {
  const { about, row } = first.reason;
  const isClosed = row.embeddedFields !== undefined;
  const content: Content = {
    notices,
    record: isClosed ? null : (first.values.record as string),
    name: isClosed || about.type.display === "id" ? "" : (first.values.name as string),
    ...said,
    link: isClosed ? null : `${origin()}/a/${first.by.account}/${about.type.collection}/${about.id}`,
    account: first.by.accountRecord.name,
    unsubscribe: unsubscribeAddress(secret, origin(), reader),
  };
  return {
    ...messageFor(reader, content),
    account: first.by.account,
    person: reader.me.id,
    recipient: reader.address,
    type: about.type.name,
    record: about.id,
    trigger: row.trigger,
    regardless: notices.some(({ reason }) => reason.row.ignoresPreferences === true),
    isInternal: notices.some(({ isInternal }) => isInternal),
  };
}

const weight = ({ told }: Reason): number => weightOf.get(told.row) ?? 0;
