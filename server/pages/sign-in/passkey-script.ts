import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { EntranceConfig } from "../../api/http/admission/http-admission.ts";
import { StaticContent, sendStatic } from "../../api/http/static-content.ts";

// D-350: the only script of the pages around sign-in. It shows the button for passkeys where the browser knows them, asks
// the browser for one, and sends the form. Without it everything else works as before.

const script = `"use strict";
const form = document.getElementById("passkey");
if (form !== null && window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined) {
  const problem = form.querySelector("[role=alert]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    try {
      const answer = await fetch("/sign_in/passkey", { headers: { Accept: "application/json" } });
      const { options, challenge } = await answer.json();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const passkey = await navigator.credentials.get({ publicKey });
      form.elements.challenge.value = challenge;
      form.elements.response.value = JSON.stringify(passkey.toJSON());
      form.submit();
    } catch {
      problem.hidden = false;
    }
  });
}
`;

const hash = createHash("sha256").update(script).digest("hex").slice(0, 12);

/** The URL contains a hash of the content, so browsers may cache it without limit. */
export const passkeyScriptAddress = `/assets/passkey-${hash}.js`;

export function registerPasskeyScript(app: FastifyInstance): void {
  const config: EntranceConfig = { isStatic: true };
  const content = new StaticContent("text/javascript; charset=utf-8", script);
  app.get(passkeyScriptAddress, { config }, async (request, reply) =>
    sendStatic(request, reply.header("Cache-Control", "public, max-age=31536000, immutable"), content),
  );
}
