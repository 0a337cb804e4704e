import { Readable } from "node:stream";
import { toTimestamp } from "../base/clock.ts";
import type { Caller } from "../engine/caller.ts";
import type { AttachmentInput } from "../engine/kinds/attachments.ts";
import { addJob, deleteJob } from "../queue/jobs.ts";
import { type Database, statement, type Transaction } from "../storage/database.ts";
import { buildFileKey, createFileKey, sizeLimit } from "../storage/files/index.ts";
import type { Inbox } from "./context.ts";
import { type MailFile, maxFiles } from "./message.ts";

// The files of a mail are on the disk before the transaction that needs them is committed. If it never is, a job removes
// them a day later.

const insert = statement(
  "INSERT INTO attachments (account_id, key, name, size, person_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
);
const gracePeriod = 86_400_000;
/** bytes of a text field, with room for what we add */
const maxTextBytes = 65_000;

type StoredFile = { file: MailFile; key: string };
/** What is said, with the keys of its images in it, and the files that go along. */
export type MailBody = { text: string; attachments: readonly AttachmentInput[]; omittedFiles: number };

export class MailAttachments {
  private readonly inbox: Inbox;
  private readonly stored = new Map<string, Promise<StoredFile>>();

  constructor(inbox: Inbox) {
    this.inbox = inbox;
  }

  /** Rows for the files that this text needs. A transaction that is tried again finds the files where they are. */
  async attach(tx: Transaction, by: Caller, text: string, files: readonly MailFile[]): Promise<MailBody> {
    let said = text;
    const attachments: AttachmentInput[] = [];
    const wanted = [...files];
    for (const file of wanted) {
      const isShown = file.placeholder !== null && said.includes(file.placeholder);
      const { key } = await this.store(by, file, isShown);
      if (isShown) said = said.replaceAll(file.placeholder as string, key);
      attachments.push(this.row(tx, by, key, file.content.length, isShown));
    }
    if (Buffer.byteLength(said) <= maxTextBytes) return { text: said, attachments, omittedFiles: 0 };
    // What is too long for a note goes along as a file.
    const whole: MailFile = { name: "message.txt", content: new TextEncoder().encode(said), placeholder: null };
    const hasRoom = attachments.length < maxFiles;
    if (hasRoom) {
      const { key } = await this.store(by, whole, false);
      attachments.push(this.row(tx, by, key, whole.content.length, false));
    }
    return { text: `${truncateText(said)} …`, attachments, omittedFiles: hasRoom ? 0 : 1 };
  }

  private row(tx: Transaction, by: Caller, key: string, size: number, inline: boolean): AttachmentInput {
    const name = key.slice(key.lastIndexOf("/") + 1);
    tx.send(insert, [by.account, key, name, size, by.person, toTimestamp(by.now)]);
    deleteJob(tx, "remove file", key);
    return { key, inline, remove: false };
  }

  private store(by: Caller, file: MailFile, isShown: boolean): Promise<StoredFile> {
    const place = `${by.account} ${by.person} ${file.name} ${file.placeholder} ${file.content.length} ${this.getNumber(file)}`;
    let kept = this.stored.get(place);
    if (kept === undefined) {
      kept = this.write(by, file, isShown);
      this.stored.set(place, kept);
      kept.catch(() => this.stored.delete(place));
    }
    return kept;
  }

  /** Two files may have the same name and size. */
  private readonly numbers = new Map<MailFile["content"], number>();
  private getNumber({ name, content }: MailFile): number | string {
    if (name === "message.txt") return "whole";
    const number = this.numbers.get(content) ?? this.numbers.size;
    this.numbers.set(content, number);
    return number;
  }

  private async write(by: Caller, file: MailFile, isShown: boolean): Promise<StoredFile> {
    const { engine, files } = this.inbox;
    // The key of an image stands in the text, where brackets would mean something.
    const name = isShown ? file.name.replace(/[^\w.-]+/g, "-") : file.name;
    const key = buildFileKey(createFileKey(by.account, by.person, by.now), name);
    await scheduleRemoval(engine.database, key, new Date(by.now.getTime() + gracePeriod));
    await files.write(key, Readable.from([file.content]), sizeLimit);
    return { file, key };
  }
}

/** At once, whatever becomes of the transaction. */
const scheduleRemoval = (database: Database, key: string, runAt: Date): Promise<void> =>
  database.transaction(async (tx) => addJob(tx, { kind: "remove file", key, account: null, payload: { key }, runAt }));

function truncateText(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, maxTextBytes);
  return new TextDecoder().decode(bytes, { stream: true }).toWellFormed();
}
