import { Readable } from "node:stream";
import { toTimestamp } from "../base/clock.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { AttachmentInput } from "../engine/kinds/attachments.ts";
import { buildFileKey, createFileKey, sizeLimit } from "../files/index.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";
import type { Inbox } from "./inbound-context.ts";
import { type MailFile, maxFiles } from "./message.ts";

// Files are written before the transaction that refers to them commits. If it never commits, a job removes them a day
// later.

const insert = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
);
const gracePeriod = 86_400_000;
/** bytes of a text field, less room for what is added */
const maxTextBytes = 65_000;

type StoredFile = { file: MailFile; key: string };
/** The text with the keys of its inline images, and its attachments. */
export type MailBody = { text: string; attachments: readonly AttachmentInput[]; omittedFiles: number };

export class MailAttachments {
  private readonly inbox: Inbox;
  private readonly stored = new Map<string, Promise<StoredFile>>();

  constructor(inbox: Inbox) {
    this.inbox = inbox;
  }

  /** Inserts a row per file. A repeated transaction reuses the files that are already written. */
  async attach(tx: Transaction, by: Caller, original: string, files: readonly MailFile[]): Promise<MailBody> {
    let text = original;
    const attachments: AttachmentInput[] = [];
    for (const file of files) {
      const isShown = file.placeholder !== null && text.includes(file.placeholder);
      const { key } = await this.store(by, file, isShown);
      if (isShown) text = text.replaceAll(file.placeholder as string, key);
      attachments.push(this.row(tx, by, key, file.content.length, isShown));
    }
    if (Buffer.byteLength(text) <= maxTextBytes) return { text, attachments, omittedFiles: 0 };
    // A text too long for a note is attached as a file.
    const whole: MailFile = { name: "message.txt", content: new TextEncoder().encode(text), placeholder: null };
    const hasRoom = attachments.length < maxFiles;
    if (hasRoom) {
      const { key } = await this.store(by, whole, false);
      attachments.push(this.row(tx, by, key, whole.content.length, false));
    }
    return { text: `${truncateText(text)} …`, attachments, omittedFiles: hasRoom ? 0 : 1 };
  }

  private row(tx: Transaction, by: Caller, key: string, size: number, inline: boolean): AttachmentInput {
    const name = key.slice(key.lastIndexOf("/") + 1);
    tx.send(insert, [by.account, key, name, size, by.person, toTimestamp(by.now)]);
    deleteJob(tx, "remove file", key);
    return { key, inline, remove: false };
  }

  private store(by: Caller, file: MailFile, isShown: boolean): Promise<StoredFile> {
    const identity = `${by.account} ${by.person} ${file.name} ${file.placeholder} ${file.content.length} ${this.getNumber(file)}`;
    let stored = this.stored.get(identity);
    if (stored === undefined) {
      stored = this.write(by, file, isShown);
      this.stored.set(identity, stored);
      stored.catch(() => this.stored.delete(identity));
    }
    return stored;
  }

  /** Distinguishes files with the same name and size. */
  private readonly numbers = new Map<MailFile["content"], number>();
  private getNumber({ name, content }: MailFile): number | string {
    if (name === "message.txt") return "whole";
    const number = this.numbers.get(content) ?? this.numbers.size;
    this.numbers.set(content, number);
    return number;
  }

  private async write(by: Caller, file: MailFile, isShown: boolean): Promise<StoredFile> {
    const { engine, files } = this.inbox;
    // The key of an inline image is part of the markup, where brackets have a meaning.
    const name = isShown ? file.name.replace(/[^\w.-]+/g, "-") : file.name;
    const key = buildFileKey(createFileKey(by.account, by.person, by.now), name);
    await scheduleRemoval(engine.database, key, new Date(by.now.getTime() + gracePeriod));
    await files.write(key, Readable.from([file.content]), sizeLimit);
    return { file, key };
  }
}

/** In a transaction of its own, so that a rollback of the other does not lose the job. */
const scheduleRemoval = (database: Database, key: string, runAt: Date): Promise<void> =>
  database.transaction(async (tx) => addJob(tx, { kind: "remove file", key, account: null, payload: { key }, runAt }));

function truncateText(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, maxTextBytes);
  return new TextDecoder().decode(bytes, { stream: true }).toWellFormed();
}
