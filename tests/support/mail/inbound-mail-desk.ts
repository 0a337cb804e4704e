import { beforeEach } from "vitest";
import { type Client, world } from "../world.ts";
import { mailSender } from "./mail-sender.ts";

// A service desk that receives email, with a story's policy. Every story starts an hour after the previous one.

export const fromSam = { from: "Sam Specialist <sam@widget.example>" };
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export async function inboundMailDesk() {
  const the = await world({
    env: { MAIL_PORT: "0", MAIL_TRUSTED_AUTHSERV: "mx.widget.example", MAIL_PER_HOUR: "1000" },
  });
  const { as, sql, clock } = the;
  const admin = as("administrator");
  async function policy(settings: Record<string, unknown>, secret: string | null = null): Promise<void> {
    const values = ["widget-it", JSON.stringify(settings), secret];
    await sql(
      `INSERT INTO email_policies (account_id, settings, secret_hash, updated_at) VALUES ($1, $2, encode(sha256($3::bytea), 'hex'), now())
ON CONFLICT (account_id) DO UPDATE SET settings = excluded.settings, secret_hash = excluded.secret_hash`,
      values,
    );
  }
  const request = async (id: number | null, by: Client = admin) => (await by.get(`/requests/${id}`)).body;
  const notes = async (id: number | null, by: Client = admin) => (await by.get(`/requests/${id}/notes`)).body;
  const texts = async (id: number | null) => (await notes(id)).map(({ text }: { text: string }) => text);
  const loadMailsTo = (recipient: string) =>
    sql<{ subject: string; body: string }>("SELECT subject, body FROM mails WHERE recipient = $1 ORDER BY id", [
      recipient,
    ]);
  /** Allows Sam to register requests for others. */
  const makeAnalyst = () =>
    sql(`INSERT INTO permissions (account_id, person_id, role, created_at) SELECT 'widget-it', 3, 'service_desk_analyst', now()
WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE person_id = 3 AND role = 'service_desk_analyst')`);
  /** Lets request numbers continue at an unused number with at least six digits. */
  async function numbered(from: number): Promise<void> {
    await sql("SELECT setval('requests_id_seq', greatest($1, (SELECT coalesce(max(id), 1) FROM requests)))", [from]);
  }

  beforeEach(async () => {
    await sql("DELETE FROM email_policies");
    await clock.pass(3601);
  });
  return {
    the,
    as,
    sql,
    clock,
    ...mailSender(the),
    admin,
    rita: as("requester"),
    policy,
    request,
    notes,
    texts,
    loadMailsTo,
    makeAnalyst,
    numbered,
  };
}
