/** Where mail goes out: an smtp:// or smtps:// address, and the sender. */
export type MailSettings = { url: string; from: string };
export type OutgoingMessage = {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  date: Date;
  html?: string | null;
  /** whose name the mail comes in */
  sender?: string;
  /** where replies go */
  replyTo?: string;
  /** the id that all mails about a record refer to */
  threadId?: string;
  /** where the recipient says that no more shall be sent */
  unsubscribeUrl?: string | null;
  /** what else a program may want to know of it */
  headers?: Record<string, string>;
};

/** One message. Its id is the same on every try, so that a receiver can tell a repetition. */
export async function sendMail({ url, from }: MailSettings, message: OutgoingMessage): Promise<void> {
  const { createTransport } = await import("nodemailer"); // much code, for those who send mail
  const transport = createTransport(url, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  const { html, sender, replyTo: replies, threadId: thread, unsubscribeUrl: leave } = message;
  try {
    await transport.sendMail({
      from: { name: (sender ?? "Steward").replace(/\s+/g, " "), address: from },
      to: { name: "", address: message.recipient },
      subject: message.subject,
      text: message.body,
      date: message.date,
      messageId: message.id,
      headers: {
        // RFC 3834, and what Exchange listens to: no out-of-office reply to this.
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, DR, RN, NRN, AutoReply",
        // RFC 8058
        ...(leave == null
          ? {}
          : { "List-Unsubscribe": `<${leave}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
        ...message.headers,
      },
      ...(html == null ? {} : { html }),
      ...(replies === undefined ? {} : { replyTo: replies }),
      ...(thread === undefined ? {} : { inReplyTo: thread, references: [thread] }),
    });
  } finally {
    transport.close();
  }
}
