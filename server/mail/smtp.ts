import { createTransport } from "nodemailer";

/** Where mail goes out: an smtp:// or smtps:// address, and the sender. */
export type MailSettings = { url: string; from: string };
export type Message = { id: string; recipient: string; subject: string; body: string; date: Date };

/** One message, plain text. Its id is the same on every try, so that a receiver can tell a repetition. */
export async function sendMail({ url, from }: MailSettings, message: Message): Promise<void> {
  const transport = createTransport(url, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as object);
  try {
    await transport.sendMail({
      from: { name: "Steward", address: from },
      to: { name: "", address: message.recipient },
      subject: message.subject,
      text: message.body,
      date: message.date,
      messageId: `<${message.id}.steward@${from.split("@")[1]}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}
