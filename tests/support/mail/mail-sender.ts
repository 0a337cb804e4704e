import { createTransport, type SendMailOptions } from "nodemailer";
import { until } from "../waiting.ts";
import type { World } from "../world.ts";

// Sends email as people do: over a real connection, with a real client.

export type ReceivedMail = {
  id: number;
  state: string;
  outcome: string;
  reason: string | null;
  sender: string | null;
  subject: string | null;
  record_type: string | null;
  record_id: number | null;
  note_id: number | null;
  raw: Buffer | null;
};

export const deskAddress = "widget-it@mail.widget.example";

export function mailSender({ service, sql }: Pick<World, "service" | "sql">) {
  const port = service.mailListener?.port ?? 0;
  const transport = () => createTransport({ host: "127.0.0.1", port, secure: false, ignoreTLS: true } as object);
  let count = 0;

  /** Sends an email and returns the server's response. */
  const hand = async (mail: SendMailOptions): Promise<{ response: string; messageId: string }> => {
    const client = transport();
    try {
      const messageId = `<${++count}.story@widget.example>`;
      const from = mail.from ?? "Rita Requester <rita@widget.example>";
      return await client.sendMail({ to: deskAddress, messageId, ...mail, from });
    } finally {
      client.close();
    }
  };
  const newest = async (): Promise<ReceivedMail> => {
    const [row] = await sql<ReceivedMail>("SELECT * FROM received_mails ORDER BY id DESC LIMIT 1");
    if (row === undefined) throw new Error("no email was received");
    return row;
  };
  /** The worker may have handled the job already. */
  const handled = async () => {
    await until(async () => {
      await service.worker.runDue();
      return (await sql("SELECT 1 FROM received_mails WHERE state = 'waiting'")).length === 0;
    });
  };
  return {
    port,
    hand,
    newest,
    handled,
    /** Sends an email, waits until it is handled, and returns the result. */
    async send(mail: SendMailOptions): Promise<ReceivedMail & { messageId: string }> {
      const { messageId } = await hand(mail);
      await handled();
      return { ...(await newest()), messageId };
    },
  };
}

/** Joins the lines of a message with SMTP line endings. */
export const buildMessage = (...lines: string[]): string => lines.join("\r\n");
