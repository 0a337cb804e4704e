import type { FastifyInstance } from "fastify";
import * as client from "openid-client";
import { sealText, unsealText } from "../../base/sealed-text.ts";
import { handleLogoutToken } from "../../oauth/providers/back-channel-logout.ts";
import { isSecureAddress } from "../../oauth/providers/guarded-fetch.ts";
import { buildClient } from "../../oauth/providers/provider-metadata.ts";
import { loadProviderSession, type ProviderSession } from "../../oauth/providers/provider-sessions.ts";
import { findProviderById } from "../../oauth/providers/providers.ts";
import { clearCookie, readCookie, setCookie } from "../cookies.ts";
import { parseFormBody } from "../form-body.ts";
import { type Html, html } from "../layout/html.ts";
import type { PageRoutes, SignedInVisit } from "../page-routes.ts";
import { redirectTo } from "../responses.ts";
import type { PagesContext, Visit } from "../visit.ts";

// Signing out here does not end the session at the provider, which many applications share. The sign-in page then offers to
// end that one, too. In the other direction, the provider notifies us (back-channel logout).

const cookie = "steward_sso_out";
const purpose = "sign-out at a provider";
const seconds = 600;

/** Before a session ends: keeps in the browser what the provider asks for when the person signs out there, too. */
export async function keepProviderSignOut(visit: SignedInVisit): Promise<void> {
  const session = await loadProviderSession(visit.oauth, visit.session.id);
  if (session === null) return;
  const sealed = sealText(visit.oauth.secret, purpose, "", JSON.stringify(session));
  // Browsers refuse larger cookies; the provider asks the person then.
  const short = sealText(visit.oauth.secret, purpose, "", JSON.stringify({ ...session, idToken: "" }));
  setCookie(visit, cookie, sealed.length < 3500 ? sealed : short, seconds);
}

function readSession(visit: Visit): ProviderSession | null {
  const sealed = readCookie(visit.request, cookie, visit.origin);
  if (sealed === null) return null;
  try {
    return JSON.parse(unsealText(visit.oauth.secret, purpose, "", sealed)) as ProviderSession;
  } catch {
    return null;
  }
}

/** The offer on the sign-in page. */
export async function renderProviderSignOut(visit: Visit): Promise<Html | null> {
  const session = readSession(visit);
  const provider = session === null ? null : await findProviderById(visit.oauth, session.provider);
  if (provider === null) return null;
  return html`You're signed out of Steward. <a href="/sso/sign_out">Sign out of ${provider.name} too</a>`;
}

export function registerSignOutPages({ get }: PageRoutes): void {
  get("/sso/sign_out", async (visit) => {
    const session = readSession(visit);
    clearCookie(visit, cookie);
    const provider = session === null ? null : await findProviderById(visit.oauth, session.provider);
    if (session === null || provider === null) return redirectTo(visit.reply, "/sign_in");
    const { providers } = visit.pages;
    const configuration = await buildClient(providers, provider).catch(() => null);
    const endpoint = configuration?.serverMetadata().end_session_endpoint ?? "";
    // Not every provider offers it.
    if (configuration === null || !isSecureAddress(endpoint)) return redirectTo(visit.reply, "/sign_in");
    const address = client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${providers.origin()}/sign_in`,
      ...(session.idToken === "" ? {} : { id_token_hint: session.idToken }),
    });
    return redirectTo(visit.reply, address.href);
  });
}

/** Called by providers: the signed token is what counts, there is no form of ours and no cookie. */
export function registerBackChannelLogout(pages: PagesContext, app: FastifyInstance): void {
  app.post("/sso/back_channel_logout", { bodyLimit: 65_536 }, async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    const token = parseFormBody(request).get("logout_token") ?? "";
    await handleLogoutToken(pages.providers, token, pages.getClientAddress(request));
    return reply.code(200).send();
  });
}
