import type { FastifyReply } from "fastify";
import type { IdentityProvider } from "../../oauth/providers/identity-provider.ts";
import { type SignInRefused, unreachable } from "../../oauth/providers/sign-in-flow.ts";
import { recordSecurityEvent } from "../../oauth/security-trail.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderLayout } from "../layout/layout.ts";
import { sendPage } from "../responses.ts";
import type { Visit } from "../visit.ts";

/** Says that it did not work, and notes why in the security trail, where administrators find it. */
export async function showRefusal(
  visit: Visit,
  provider: IdentityProvider,
  { reason, subject }: SignInRefused,
): Promise<FastifyReply> {
  const { oauth } = visit;
  await oauth.database.transaction(async (tx) =>
    recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
      ...{ account: provider.account_id, person: null, event: "sign-in-failed" as const, address: visit.address },
      details: { provider: provider.id, name: provider.name, reason, ...(subject === null ? {} : { subject }) },
    }),
  );
  const text =
    reason === unreachable
      ? `We can't reach ${provider.name} right now. Try again in a moment or contact your administrator.`
      : `${provider.name} refused the sign-in, or you don't have an account here. Your administrator can find the reason in the security log.`;
  return showMessage(visit, "Sign-in failed", text, reason === unreachable ? 502 : 403);
}

export function showMessage(visit: Visit, title: string, text: HtmlPart, status: number): FastifyReply {
  const body = html`<div class="card"><h1>${title}</h1><p>${text}</p><p><a href="/sign_in">Sign in</a></p></div>`;
  return sendPage(visit.reply, renderLayout(visit, { title, body, narrow: true }), status);
}
