import { isSignedBy, type LinkParts, signLink } from "./link-signature.ts";
import { loadMailRecipients, type MailRecipient } from "./mail-recipients.ts";
import type { Notifications } from "./notifications-context.ts";

// The link to a survey identifies the person, who needs no session. It names a service: the survey of the service is
// found when the link is opened, and answered once.

const listParts = (service: number, person: number): LinkParts => ["survey", service, person];

export const buildSurveyUrl = (
  { secret, origin }: Pick<Notifications, "secret" | "origin">,
  service: number,
  person: number,
): string => `${origin()}/survey/${service}/${person}/${signLink(secret, listParts(service, person))}`;

/** The person a link was made for; null: the signature is wrong, or the person no longer exists. */
export async function findSurveyReader(
  { engine, secret }: Notifications,
  service: number,
  person: number,
  signature: string,
): Promise<MailRecipient | null> {
  if (!isSignedBy(secret, listParts(service, person), signature)) return null;
  return (await loadMailRecipients(engine, [person], engine.clock.now())).get(person) ?? null;
}
