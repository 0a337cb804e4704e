import { withSpan } from "../base/tracing/spans.ts";

/** `url`: smtp:// or smtps://; `from`: the sender address. */
export type MailSettings = { url: string; from: string };
export type OutgoingMessage = {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  date: Date;
  html?: string | null;
  /** the display name of the sender */
  sender?: string;
  replyTo?: string;
  /** the Message-ID that all emails about a record refer to */
  threadId?: string;
  unsubscribeUrl?: string | null;
  /** further headers */
  headers?: Record<string, string>;
};

/** Sends one message. Its id is the same on every try, so that receivers recognize a repetition. */
export const sendMail = (settings: MailSettings, message: OutgoingMessage): Promise<void> =>
  withSpan("send mail", { kind: "client", attributes: { "server.address": new URL(settings.url).hostname } }, () =>
    sendThroughServer(settings, message),
  );

async function sendThroughServer({ url, from }: MailSettings, message: OutgoingMessage): Promise<void> {
  const { createTransport } = await import("nodemailer"); // large, so instances without SMTP do not load it
  const transport = createTransport(url, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  const { html, sender, replyTo, threadId, unsubscribeUrl } = message;
  try {
    await transport.sendMail({
      from: { name: (sender ?? "Steward").replace(/\s+/g, " "), address: from },
      to: { name: "", address: message.recipient },
      subject: message.subject,
      text: message.body,
      date: message.date,
      messageId: message.id,
      headers: {
        // No out-of-office replies: RFC 3834 and the header of Exchange.
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, DR, RN, NRN, AutoReply",
        // RFC 8058
        ...(unsubscribeUrl == null
          ? {}
          : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
        ...message.headers,
      },
      ...(html == null ? {} : { html }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(threadId === undefined ? {} : { inReplyTo: threadId, references: [threadId] }),
    });
  } finally {
    transport.close();
  }
}
