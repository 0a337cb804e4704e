import { Forbidden, Invalid } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { type Caller, loadAccount } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Attachments } from "../engine/rules.ts";
import { translateDatabaseError } from "../engine/write/database-errors.ts";
import type { JobClaim } from "../queue/worker.ts";
import { mayWriteInternalNotes } from "../rules/communication/notes.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { parseFirstId } from "../storage/rows.ts";
import { findIgnoreReason } from "./automatic-mail.ts";
import type { Inbox } from "./context.ts";
import { findDestination } from "./destinations.ts";
import { parseDmarcVerdict } from "./dmarc.ts";
import { type EffectivePolicy, findRequestRefusal, loadPolicy } from "./email-policy.ts";
import { extractHeader } from "./envelope.ts";
import { createInboundEmail, type InboundEmailInput } from "./inbound-email.ts";
import { MailAttachments, type MailBody } from "./mail-attachments.ts";
import { findRecord, isAlreadyHandled, type MatchedRecord, storeThread } from "./mail-threads.ts";
import { type InboundMessage, type MailFile, UnreadableMessage } from "./message.ts";
import { notifyAddressOwner, registerRequest } from "./new-request.ts";
import { buildNoParameters, isParameter, type MailParameters, parseParameters } from "./parameters.ts";
import { readMessage } from "./read-message.ts";
import {
  failMail,
  finishMail,
  loadWaitingMail,
  lockMail,
  type MailOutcome,
  type WaitingMail,
} from "./received-mails.ts";
import { describeRejection, mailRejection, type Rejection } from "./rejection.ts";
import { parseAddress, parseTrustedAuthor, resolveSender } from "./sender.ts";

// The job of a received mail. What it does and that it was done are committed together: a process that dies at any moment
// has done nothing, or everything.

const maxAttempts = 12; // more than two hours, with the pauses between them

export async function handleMail(inbox: Inbox, { id }: { id: number }, { attempts }: JobClaim): Promise<void> {
  const { database, clock } = inbox.engine;
  try {
    const found = await loadWaitingMail(database, id);
    if (found !== null) await new MailHandler(inbox, found.mail).run(found.raw);
  } catch (error) {
    if (attempts < maxAttempts) throw error;
    inbox.log.error("a mail could not be handled", { id, ...describeError(error) });
    await failMail(database, id, clock.now(), error instanceof Error ? error.message : String(error));
  }
}

class MailHandler {
  private readonly inbox: Inbox;
  private readonly mail: WaitingMail;
  private readonly files: MailAttachments;
  /** parameters that turned out to be wrong */
  private readonly unused = new Set<string>();

  constructor(inbox: Inbox, mail: WaitingMail) {
    this.inbox = inbox;
    this.mail = mail;
    this.files = new MailAttachments(inbox);
  }

  async run(raw: Buffer): Promise<void> {
    let message: InboundMessage;
    try {
      message = await readMessage(new Uint8Array(raw));
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      return this.unreadable(raw, error.message);
    }
    for (;;) {
      try {
        return await this.settled((tx) => this.handle(tx, message));
      } catch (caught) {
        const error = translateDatabaseError(this.inbox.engine.types.get("request"), caught);
        if (error instanceof Forbidden)
          return this.settled((tx) => this.reject(tx, message, { refusal: "not_permitted" }));
        if (!(error instanceof Invalid)) throw error;
        // A parameter that means nothing is left out: the rest of the mail is worth something without it.
        const before = this.unused.size;
        for (const [field] of error.problems) this.unused.add(field);
        if (this.unused.has("all")) {
          const { problems } = error;
          return this.settled((tx) => this.reject(tx, message, { refusal: "invalid", problems }));
        }
        if (this.unused.size === before) this.unused.add("all");
      }
    }
  }

  /** What cannot be read as a whole mostly still says who sent it. */
  private async unreadable(raw: Buffer, reason: string): Promise<void> {
    const head = Buffer.concat([extractHeader(raw), Buffer.from("\r\n\r\n")]);
    const message = await readMessage(new Uint8Array(head)).catch(() => null);
    await this.settled(async (tx) => {
      const isWaitedFor = message !== null && findIgnoreReason(message, this.mail, this.inbox.ownSender) === null;
      const told = isWaitedFor ? await this.reject(tx, message, { refusal: "unreadable" }) : {};
      return { ...told, kind: "unreadable", reason };
    });
  }

  private settled(work: (tx: Transaction) => Promise<MailOutcome>): Promise<void> {
    const { database, clock } = this.inbox.engine;
    return database.transaction(async (tx) => {
      if (await lockMail(tx, this.mail.id)) finishMail(tx, this.mail.id, clock.now(), await work(tx));
    });
  }

  private async handle(tx: Transaction, message: InboundMessage): Promise<MailOutcome> {
    const { inbox, mail } = this;
    const about = { subject: message.subject, messageId: message.messageId, ...pickSender(message) };
    const ignored = findIgnoreReason(message, mail, inbox.ownSender);
    if (ignored !== null) return { kind: "ignored", reason: ignored, ...about };
    if (message.messageId !== null && (await isAlreadyHandled(tx, mail.account, message.messageId)))
      return { kind: "ignored", reason: "it was handled before", ...about };
    if (message.from === null) return { kind: "ignored", reason: "it does not say who wrote it", ...about };
    const policy = await loadPolicy(tx, mail.account);
    const account = await loadAccount(tx, mail.account);
    const author = parseTrustedAuthor(message, policy, inbox.settings.trusted) ?? message.from;
    const sender = await resolveSender(inbox.engine, tx, account, author, policy);
    if ("unknown" in sender)
      return this.reject(tx, message, { refusal: "unknown_sender", sender: sender.address, why: sender.unknown });
    const { by } = sender;
    const outcome = await this.handleFrom(tx, message, by, policy);
    if (outcome.kind === "request" && !sender.isPrimary) notifyAddressOwner(tx, sender, outcome);
    if (outcome.record !== undefined) storeThread(tx, by, message.messageId, outcome.record);
    return { ...outcome, ...about, person: by.person };
  }

  private async handleFrom(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    policy: EffectivePolicy,
  ): Promise<MailOutcome> {
    const { engine } = this.inbox;
    const parameters = this.parametersOf(message, by);
    const { source, sourceID } = parameters.members;
    const pair = source === undefined || sourceID === undefined ? null : { source, sourceID };
    const found = await findRecord(engine, tx, by, message, policy, pair);
    if (await this.hasWrittenEnough(tx, message)) return this.reject(tx, message, { refusal: "too_many" });
    if (found !== null) return this.addNote(tx, message, by, found, this.replyIn(message, by, parameters));
    const refusal = findRequestRefusal(message, policy);
    if (refusal !== null) return this.reject(tx, message, refusal);
    return this.newRequest(tx, message, by, await this.onBehalf(tx, by, parameters, policy));
  }

  /** Specialists may; in a mail that a mail server calls forged nobody may. */
  private mayGiveParameters(message: InboundMessage, by: Caller): boolean {
    return by.roles.has("specialist") && parseDmarcVerdict(message, this.inbox.settings.trusted) !== "fail";
  }

  private parametersOf(message: InboundMessage, by: Caller): MailParameters {
    if (!this.mayGiveParameters(message, by) || this.unused.has("all")) return buildNoParameters(message.text);
    const read = parseParameters(message.text, message.isHtml);
    const parameters = read.markdown && message.plainText !== null ? parseParameters(message.plainText, false) : read;
    const { requested_for, requested_for_id, ...others } = parameters.members;
    const mayAskForOthers = by.roles.has("service_desk_analyst");
    const members = mayAskForOthers ? parameters.members : others;
    const isUsed = ([name]: [string, string]) => !this.unused.has(name) && !this.unused.has(name.replace(/_id$/, ""));
    return {
      ...parameters,
      members: Object.fromEntries(Object.entries(members).filter(isUsed)),
      customFields: this.unused.has("custom_fields") ? {} : parameters.customFields,
    };
  }

  /** #from: whoever may ask for others forwards what they wrote. */
  private async onBehalf(
    tx: Transaction,
    by: Caller,
    parameters: MailParameters,
    policy: EffectivePolicy,
  ): Promise<MailParameters> {
    const { from, members } = parameters;
    if (from === null || !policy.allow_from || !by.roles.has("service_desk_analyst")) return parameters;
    const author = parseAddress(from);
    const other = author === null ? null : await resolveSender(this.inbox.engine, tx, by.accountRecord, author, policy);
    if (other === null || "unknown" in other) {
      this.unused.add("from");
      return parameters;
    }
    const person = String(other.by.person);
    return { ...parameters, members: { requested_for_id: person, ...members, requested_by_id: person } };
  }

  /** Parameters are for new requests: in an answer they only do not count as text. */
  private replyIn(message: InboundMessage, by: Caller, parameters: MailParameters): string {
    if (parameters.markdown) return parameters.rest;
    return this.mayGiveParameters(message, by) ? parseParameters(message.reply, message.isHtml).rest : message.reply;
  }

  /** Two programs that answer each other come to an end here, however little their mails say about themselves. */
  private async hasWrittenEnough(tx: Transaction, message: InboundMessage): Promise<boolean> {
    const { engine, settings } = this.inbox;
    const { sender = "" } = pickSender(message);
    const [row] = await tx.query(countRecentMails, [this.mail.account, sender, engine.clock.now().toISOString()]);
    return Number(row?.[0]) >= settings.perHour;
  }

  private async newRequest(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    parameters: MailParameters,
  ): Promise<MailOutcome> {
    const body = await this.bodyOf(tx, message, by, parameters.rest);
    const team = await this.teamOf(tx);
    const registered = await registerRequest(this.inbox, tx, by, { message, parameters, body, team });
    const { id, isExisting: isOld, note: text } = registered;
    const found: MatchedRecord = { type: "request", id, account: by.account, internal: parameters.internal };
    const failure = this.failure(message, body);
    if (isOld && text !== null) return this.noted(tx, message, by, found, { ...body, text }, failure);
    const record = { type: "request", id };
    if (isOld) return { kind: "note", reason: "the request says this already", record };
    const note = parseFirstId(await tx.query(selectFirstNote, [id]));
    const said = parameters.internal ? null : body.text;
    await this.trace(tx, message, by, { record: found, note, publicText: said, failure });
    return {
      kind: "request",
      record,
      ...(note === null ? {} : { note }),
      ...(failure === null ? {} : { reason: failure }),
    };
  }

  private async addNote(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    found: MatchedRecord,
    said: string,
  ): Promise<MailOutcome> {
    const body = await this.bodyOf(tx, message, by, said);
    if (body.text.trim() === "") return { kind: "ignored", reason: "it says nothing" };
    return this.noted(tx, message, by, found, body, this.failure(message, body));
  }

  private async noted(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    found: MatchedRecord,
    body: MailBody,
    failure: string | null,
  ): Promise<MailOutcome> {
    const { engine } = this.inbox;
    const attachments: Attachments = new Map(body.attachments.length === 0 ? [] : [["attachments", body.attachments]]);
    const fixed = { [found.type]: found.id, medium: "email" };
    const type = engine.types.get("note");
    // Who answers what is not for everybody does not mean everybody.
    const internal = found.internal === true && found.type === "request" && mayWriteInternalNotes(by);
    const text = { text: body.text, ...(internal ? { internal } : {}) };
    const note = await createUnchecked({ engine, tx, by, type }, text, { attachments, fixed, account: found.account });
    const said = internal ? null : body.text;
    if (found.type === "request") await this.trace(tx, message, by, { record: found, note, publicText: said, failure });
    const record = { type: found.type, id: found.id };
    return { kind: "note", record, note, ...(failure === null ? {} : { reason: failure }) };
  }

  /** The text with the files it needs: images that only the quoted part shows belong to an earlier mail. */
  private bodyOf(tx: Transaction, message: InboundMessage, by: Caller, text: string): Promise<MailBody> {
    const isNeeded = ({ placeholder: place }: MailFile) =>
      place === null || text.includes(place) || !message.text.includes(place);
    const files = message.files.filter(isNeeded);
    const said = text === "" && files.length > 0 ? message.subject || "…" : text;
    return this.files.attach(tx, by, said, files);
  }

  private async teamOf(tx: Transaction): Promise<number | null> {
    for (const recipient of this.mail.recipients) {
      const destination = await findDestination(tx, recipient);
      if (destination?.team != null) return destination.team;
    }
    return null;
  }

  private trace(tx: Transaction, message: InboundMessage, by: Caller, kept: InboundEmailInput): Promise<void> {
    return createInboundEmail(this.inbox.engine, tx, by, this.mail, message, kept);
  }

  /** What was not done although the mail asked for it. */
  private failure({ omittedFiles: filesLeftOut }: InboundMessage, { omittedFiles: leftOut }: MailBody): string | null {
    const unused = [...this.unused].filter(isParameter).map((name) => `${name} is not valid`);
    const files = filesLeftOut + leftOut;
    const parts = [...unused, ...(files === 0 ? [] : [`${files} attachments were left out`])];
    return parts.length === 0 ? null : parts.join("; ");
  }

  private async reject(tx: Transaction, message: InboundMessage, rejection: Rejection): Promise<MailOutcome> {
    const { mail, inbox } = this;
    const account = await loadAccount(tx, mail.account);
    await mailRejection(tx, inbox.engine.clock.now(), account, { message, envelope: mail, rejection });
    const reason = rejection.why ?? describeRejection("en", rejection);
    return { kind: "rejected", reason, subject: message.subject, messageId: message.messageId, ...pickSender(message) };
  }
}

const countRecentMails = statement(
  `SELECT count(*) FROM received_mails WHERE account_id = $1 AND sender = $2 AND outcome IN ('request', 'note')
AND handled_at > $3::timestamptz - interval '1 hour'`,
);
const selectFirstNote = statement("SELECT id FROM notes WHERE request_id = $1 ORDER BY id LIMIT 1");

const pickSender = ({ from }: InboundMessage) => (from === null ? {} : { sender: from.address.toLowerCase() });
