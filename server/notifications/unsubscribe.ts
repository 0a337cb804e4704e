import { type Caller, loadCallerInAccount } from "../engine/caller.ts";
import { updateUnchecked } from "../engine/change.ts";
import type { Engine } from "../engine/engine.ts";
import { isSignedBy, type LinkParts, signLink } from "./link-signature.ts";
import { buildRecipientCaller, loadAccounts, loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import type { Notifications } from "./notifications-context.ts";

// The unsubscribe link of every mail, valid for one person and one address. Only a POST unsubscribes, because mail
// scanners open every link.

const listParts = ({ me, address }: MailRecipient): LinkParts => ["unsubscribe", me.id, address];

/** People get many emails, and a signature takes as long as the text of one, so some are cached. */
const signatures = new Map<string, string>();
const maxSignatures = 2000;

function signOnce(secret: string, reader: MailRecipient): string {
  const key = `${secret} ${reader.me.id} ${reader.address}`;
  let signature = signatures.get(key);
  if (signature === undefined) {
    signature = signLink(secret, listParts(reader));
    if (signatures.size >= maxSignatures) signatures.clear();
    signatures.set(key, signature);
  }
  return signature;
}

export const buildUnsubscribeUrl = (secret: string, origin: string, reader: MailRecipient): string =>
  `${origin}/unsubscribe/${reader.me.id}/${signOnce(secret, reader)}`;

/** For the header of a mail; null: the person gets no mail any more. */
export async function loadUnsubscribeUrl(
  { engine, secret, origin }: Notifications,
  person: number,
): Promise<string | null> {
  const reader = (await loadMailRecipients(engine, [person], engine.clock.now())).get(person);
  return reader === undefined ? null : buildUnsubscribeUrl(secret, origin(), reader);
}

/** The recipient a link was made for; null: the signature is wrong, or the address has changed since. */
export async function findLinkRecipient(
  engine: Engine,
  secret: string,
  person: number,
  given: string,
): Promise<MailRecipient | null> {
  const reader = (await loadMailRecipients(engine, [person], engine.clock.now())).get(person);
  return reader !== undefined && isSignedBy(secret, listParts(reader), given) ? reader : null;
}

/** An ordinary change by the person, with an audit line. */
export async function disableNotifications(engine: Engine, reader: MailRecipient): Promise<void> {
  const account = (await loadAccounts(engine, [reader.me.account])).get(reader.me.account);
  if (account === undefined) return;
  const by: Caller = await loadCallerInAccount(
    engine.database,
    buildRecipientCaller(reader, account, engine.clock.now()),
    account.id,
  );
  const values = { send_email_notifications: "never" };
  await engine.database.transaction((tx) =>
    updateUnchecked({ engine, tx, by, type: engine.types.get("person") }, reader.me.id, values),
  );
}
