import { sealText, unsealText } from "../../base/sealed-text.ts";
import type { Flow } from "../../oauth/providers/sign-in-flow.ts";
import { clearCookie, readCookie, setCookie } from "../cookies.ts";
import { parseOwnPath } from "../sign-in/return-to.ts";
import type { Visit } from "../visit.ts";

// The state that a browser keeps while the person is at the provider: encrypted, for ten minutes.

const cookie = "steward_sso";
const purpose = "sign-in with a provider";
const seconds = 600;
/** Browsers refuse cookies that are larger than 4 KB. */
const maxReturnPath = 1500;

/** `test`: an administrator tries the provider out; `proof`: a person authenticates again. No session begins. */
export type FlowMode = "sign-in" | "test" | "proof";
/** `startedAt`: seconds */
export type PendingFlow = Flow & { returnTo: string | null; mode: FlowMode; startedAt: number };

export function keepFlow(visit: Visit, flow: PendingFlow): void {
  const ends = visit.oauth.clock.now().getTime() + seconds * 1000;
  const returnTo = (flow.returnTo ?? "").length > maxReturnPath ? null : flow.returnTo;
  const content = JSON.stringify({ flow: { ...flow, returnTo }, ends });
  setCookie(visit, cookie, sealText(visit.oauth.secret, purpose, "", content), seconds);
}

/** Takes it from the browser: a flow ends once. Null: there is none, or it took too long. */
export function takeFlow(visit: Visit): PendingFlow | null {
  const sealed = readCookie(visit.request, cookie, visit.origin);
  if (sealed === null) return null;
  clearCookie(visit, cookie);
  try {
    const text = unsealText(visit.oauth.secret, purpose, "", sealed);
    const { flow, ends } = JSON.parse(text) as { flow: PendingFlow; ends: number };
    if (visit.oauth.clock.now().getTime() >= ends) return null;
    return { ...flow, returnTo: parseOwnPath(flow.returnTo) };
  } catch {
    return null;
  }
}
