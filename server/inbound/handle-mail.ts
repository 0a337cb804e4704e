import { Forbidden, Invalid } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { statement, type Transaction } from "../database/database.ts";
import { parseFirstId } from "../database/rows.ts";
import { type Caller, loadAccount } from "../engine/caller.ts";
import { createUnchecked } from "../engine/change.ts";
import type { Attachments } from "../engine/rules.ts";
import { translateDatabaseError } from "../engine/write/database-errors.ts";
import type { JobClaim } from "../queue/worker.ts";
import { mayWriteInternalNotes } from "../rules/communication/notes.ts";
import { findIgnoreReason } from "./automatic-mail.ts";
import { findDestination } from "./destinations.ts";
import { parseDmarcVerdict } from "./dmarc.ts";
import { type EffectivePolicy, loadPolicy } from "./email-policy.ts";
import { extractHeader, maxHeaderBytes } from "./envelope.ts";
import type { Inbox } from "./inbound-context.ts";
import { createInboundEmail } from "./inbound-email.ts";
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
import { describeRejection, findRequestRefusal, mailRejection, type Rejection } from "./rejection.ts";
import { parseAddress, parseTrustedAuthor, resolveSender } from "./sender.ts";

// The job of a received mail. Its effect and its outcome are committed together: a process that crashes has done nothing,
// or everything.

const maxAttempts = 12; // spread over more than two hours

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
  /** names of invalid parameters; `all`: ignore every parameter */
  private readonly ignoredParameters = new Set<string>();

  constructor(inbox: Inbox, mail: WaitingMail) {
    this.inbox = inbox;
    this.mail = mail;
    this.files = new MailAttachments(inbox);
  }

  async run(raw: Uint8Array<ArrayBuffer>): Promise<void> {
    let message: InboundMessage;
    // A copy of the beginning only: reading takes the bytes away.
    const start = Buffer.from(raw.subarray(0, maxHeaderBytes + 4));
    try {
      message = await readMessage(raw);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      return this.rejectUnreadable(start, error.message);
    }
    for (;;) {
      try {
        return await this.finishWith((tx) => this.handle(tx, message));
      } catch (caught) {
        const error = translateDatabaseError(this.inbox.engine.types.get("request"), caught);
        if (error instanceof Forbidden)
          return this.finishWith((tx) => this.reject(tx, message, { refusal: "not_permitted" }));
        if (!(error instanceof Invalid)) throw error;
        // Without its invalid parameters the mail can still become a request.
        const before = this.ignoredParameters.size;
        for (const [field] of error.problems) this.ignoredParameters.add(field);
        if (this.ignoredParameters.has("all")) {
          const { problems } = error;
          return this.finishWith((tx) => this.reject(tx, message, { refusal: "invalid", problems }));
        }
        if (this.ignoredParameters.size === before) this.ignoredParameters.add("all");
      }
    }
  }

  /** The header alone usually still parses and names the sender. */
  private async rejectUnreadable(start: Buffer, reason: string): Promise<void> {
    const head = Buffer.concat([extractHeader(start), Buffer.from("\r\n\r\n")]);
    const message = await readMessage(new Uint8Array(head)).catch(() => null);
    await this.finishWith(async (tx) => {
      const isFromPerson = message !== null && findIgnoreReason(message, this.mail, this.inbox.ownSender) === null;
      const rejected = isFromPerson ? await this.reject(tx, message, { refusal: "unreadable" }) : {};
      return { ...rejected, kind: "unreadable", reason };
    });
  }

  private finishWith(work: (tx: Transaction) => Promise<MailOutcome>): Promise<void> {
    const { database, clock } = this.inbox.engine;
    return database.transaction(async (tx) => {
      if (await lockMail(tx, this.mail.id)) finishMail(tx, this.mail.id, clock.now(), await work(tx));
    });
  }

  private async handle(tx: Transaction, message: InboundMessage): Promise<MailOutcome> {
    const { inbox, mail } = this;
    const description = { subject: message.subject, messageId: message.messageId, ...pickSender(message) };
    const ignored = findIgnoreReason(message, mail, inbox.ownSender);
    if (ignored !== null) return { kind: "ignored", reason: ignored, ...description };
    if (message.messageId !== null && (await isAlreadyHandled(tx, mail.account, message.messageId)))
      return { kind: "ignored", reason: "already processed", ...description };
    if (message.from === null) return { kind: "ignored", reason: "no sender", ...description };
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
    return { ...outcome, ...description, person: by.person };
  }

  private async handleFrom(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    policy: EffectivePolicy,
  ): Promise<MailOutcome> {
    const { engine } = this.inbox;
    const parameters = this.readParameters(message, by);
    const { source, sourceID } = parameters.members;
    const pair = source === undefined || sourceID === undefined ? null : { source, sourceID };
    const record = await findRecord({ engine, tx, by, message, policy, source: pair });
    if (await this.isOverHourlyLimit(tx, message)) return this.reject(tx, message, { refusal: "too_many" });
    if (record !== null) return this.addReply(tx, message, by, record, this.readReply(message, by, parameters));
    const refusal = findRequestRefusal(message, policy);
    if (refusal !== null) return this.reject(tx, message, refusal);
    return this.createRequest(tx, message, by, await this.applyFrom(tx, by, parameters, policy));
  }

  /** Specialists may, unless a trusted mail server calls the mail forged. */
  private mayGiveParameters(message: InboundMessage, by: Caller): boolean {
    return by.roles.has("specialist") && parseDmarcVerdict(message, this.inbox.settings.trusted) !== "fail";
  }

  private readParameters(message: InboundMessage, by: Caller): MailParameters {
    if (!this.mayGiveParameters(message, by) || this.ignoredParameters.has("all"))
      return buildNoParameters(message.text);
    const parsed = parseParameters(message.text, message.isHtml);
    const isMarkdown = parsed.markdown && message.plainText !== null;
    const parameters = isMarkdown ? parseParameters(message.plainText as string, false) : parsed;
    const { requested_for, requested_for_id, ...others } = parameters.members;
    const mayAskForOthers = by.roles.has("service_desk_analyst");
    const members = mayAskForOthers ? parameters.members : others;
    const isUsed = ([name]: [string, string]) =>
      !this.ignoredParameters.has(name) && !this.ignoredParameters.has(name.replace(/_id$/, ""));
    return {
      ...parameters,
      members: Object.fromEntries(Object.entries(members).filter(isUsed)),
      customFields: this.ignoredParameters.has("custom_fields") ? {} : parameters.customFields,
    };
  }

  /** #from: a service desk analyst forwards the mail of another person. */
  private async applyFrom(
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
      this.ignoredParameters.add("from");
      return parameters;
    }
    const person = String(other.by.person);
    return { ...parameters, members: { requested_for_id: person, ...members, requested_by_id: person } };
  }

  /** Parameters have no effect in an answer; they are removed from its text. */
  private readReply(message: InboundMessage, by: Caller, parameters: MailParameters): string {
    if (parameters.markdown) return parameters.rest;
    return this.mayGiveParameters(message, by) ? parseParameters(message.reply, message.isHtml).rest : message.reply;
  }

  /** Stops two programs that answer each other without marking their emails as automatic. */
  private async isOverHourlyLimit(tx: Transaction, message: InboundMessage): Promise<boolean> {
    const { engine, settings } = this.inbox;
    const { sender = "" } = pickSender(message);
    const [row] = await tx.query(countRecentMails, [this.mail.account, sender, engine.clock.now().toISOString()]);
    return Number(row?.[0]) >= settings.perHour;
  }

  private async createRequest(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    parameters: MailParameters,
  ): Promise<MailOutcome> {
    const body = await this.attachFiles(tx, message, by, parameters.rest);
    const team = await this.findTeam(tx);
    const registration = await registerRequest(this.inbox, tx, by, { message, parameters, body, team });
    const { id, isExisting, note: text } = registration;
    const request: MatchedRecord = { type: "request", id, account: by.account, internal: parameters.internal };
    if (isExisting && text !== null) return this.addNote(tx, message, by, request, { ...body, text });
    const record = { type: "request", id };
    if (isExisting) return { kind: "note", reason: "same text as the request", record };
    const failure = this.describeFailure(message, body);
    const note = parseFirstId(await tx.query(selectFirstNote, [id, by.account]));
    const publicText = parameters.internal ? null : body.text;
    const { engine } = this.inbox;
    await createInboundEmail(engine, tx, by, { mail: this.mail, message, record: request, note, publicText, failure });
    return {
      kind: "request",
      record,
      ...(note === null ? {} : { note }),
      ...(failure === null ? {} : { reason: failure }),
    };
  }

  private async addReply(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    record: MatchedRecord,
    text: string,
  ): Promise<MailOutcome> {
    const body = await this.attachFiles(tx, message, by, text);
    if (body.text.trim() === "") return { kind: "ignored", reason: "empty email" };
    return this.addNote(tx, message, by, record, body);
  }

  private async addNote(
    tx: Transaction,
    message: InboundMessage,
    by: Caller,
    record: MatchedRecord,
    body: MailBody,
  ): Promise<MailOutcome> {
    const { engine } = this.inbox;
    const failure = this.describeFailure(message, body);
    const attachments: Attachments = new Map(body.attachments.length === 0 ? [] : [["attachments", body.attachments]]);
    const fixed = { [record.type]: record.id, medium: "email" };
    const type = engine.types.get("note");
    // The answer to an internal note is internal, too.
    const internal = record.internal === true && record.type === "request" && mayWriteInternalNotes(by);
    const text = { text: body.text, ...(internal ? { internal } : {}) };
    const operation = { engine, tx, by, type };
    const note = await createUnchecked(operation, text, { attachments, fixed, account: record.account });
    const publicText = internal ? null : body.text;
    if (record.type === "request")
      await createInboundEmail(engine, tx, by, { mail: this.mail, message, record, note, publicText, failure });
    const reference = { type: record.type, id: record.id };
    return { kind: "note", record: reference, note, ...(failure === null ? {} : { reason: failure }) };
  }

  /** Images that only the quoted part shows belong to an earlier mail and are dropped. */
  private attachFiles(tx: Transaction, message: InboundMessage, by: Caller, text: string): Promise<MailBody> {
    const isNeeded = ({ placeholder }: MailFile) =>
      placeholder === null || text.includes(placeholder) || !message.text.includes(placeholder);
    const files = message.files.filter(isNeeded);
    const shownText = text === "" && files.length > 0 ? message.subject || "…" : text;
    return this.files.attach(tx, by, shownText, files);
  }

  private async findTeam(tx: Transaction): Promise<number | null> {
    for (const recipient of this.mail.recipients) {
      const destination = await findDestination(tx, recipient);
      if (destination?.team != null) return destination.team;
    }
    return null;
  }

  /** Parameters of the email that had no effect. */
  private describeFailure(message: InboundMessage, body: MailBody): string | null {
    const ignored = [...this.ignoredParameters].filter(isParameter).map((name) => `${name} is not valid`);
    const files = message.omittedFiles + body.omittedFiles;
    const parts = [...ignored, ...(files === 0 ? [] : [`${files} attachments were left out`])];
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
const selectFirstNote = statement("SELECT id FROM notes WHERE request_id = $1 AND account_id = $2 ORDER BY id LIMIT 1");

const pickSender = ({ from }: InboundMessage) => (from === null ? {} : { sender: from.address.toLowerCase() });
