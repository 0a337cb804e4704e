import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notifications } from "./context.ts";
import { loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";

// The link to a survey identifies the person, who needs no session. It names a service: the survey of the service is
// found when the link is opened, and answered once.

const sign = (secret: string, service: number, person: number): string =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["survey", service, person]))
    .digest("hex")
    .slice(0, 40);

export const buildSurveyUrl = (
  { secret, origin }: Pick<Notifications, "secret" | "origin">,
  service: number,
  person: number,
): string => `${origin()}/survey/${service}/${person}/${sign(secret, service, person)}`;

/** The person a link was made for; null: the signature is wrong, or the person is gone. */
export async function findSurveyReader(
  { engine, secret }: Notifications,
  service: number,
  person: number,
  signature: string,
): Promise<MailRecipient | null> {
  if (!/^[0-9a-f]{40}$/.test(signature)) return null;
  if (!timingSafeEqual(Buffer.from(sign(secret, service, person)), Buffer.from(signature))) return null;
  return (await loadMailRecipients(engine, [person], engine.clock.now())).get(person) ?? null;
}
