import { isIP } from "node:net";
import { BadRequest } from "../../base/errors.ts";
import { checkPasskey, startAuthentication } from "../../oauth/passkeys/passkey-ceremony.ts";
import type { StoredPasskey } from "../../oauth/passkeys/passkey-store.ts";
import { type Html, html } from "../layout/html.ts";
import { renderCsrfField } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { setPageHeaders } from "../responses.ts";
import type { Visit } from "../visit.ts";
import { passkeyScriptAddress } from "./passkey-script.ts";
import { readStep, signStep } from "./signed-step.ts";

// Signing in with a passkey: the button, the challenge, and the check of the answer.

const purpose = "sign-in by passkey";

/** Passkeys belong to host names; browsers refuse them for addresses. */
export const mayUsePasskeys = ({ origin }: Visit): boolean =>
  isIP(new URL(origin).hostname.replace(/^\[|\]$/g, "")) === 0;

/** `fields`: what the form sends along. Hidden until the script has seen that the browser knows passkeys. */
export const renderPasskeyForm = (visit: Visit, fields: Readonly<Record<string, string>>): Html | null =>
  mayUsePasskeys(visit)
    ? html`<form method="post" action="/sign_in/passkey" class="full passkey" id="passkey" hidden>
${renderCsrfField(visit)}
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="challenge" value=""><input type="hidden" name="response" value="">
<button class="quiet">Sign in with a passkey</button>
<p class="error" role="alert" hidden>No passkey was used. Try again or sign in another way.</p>
</form>
<script src="${passkeyScriptAddress}" defer></script>`
    : null;

/** Null: the answer is not right, took too long, or was used before. */
export async function readPasskeyForm(visit: Visit, form: URLSearchParams): Promise<StoredPasskey | null> {
  const { oauth, origin, address } = visit;
  const challenge = readStep<string>(visit, purpose, form.get("challenge") ?? "");
  if (challenge === null) return null;
  return checkPasskey(oauth, { challenge, response: parseResponse(form.get("response") ?? ""), origin, address });
}

function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest("The passkey response couldn't be read");
  }
}

/** The script asks for a challenge when the button is pressed, so that a page may stay open for hours. */
export function registerPasskeyChallenge({ get }: PageRoutes): void {
  get("/sign_in/passkey", async (visit) => {
    const options = await startAuthentication(visit.origin);
    setPageHeaders(visit.reply);
    const body = { options, challenge: signStep(visit, purpose, options.challenge) };
    return visit.reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
  });
}
