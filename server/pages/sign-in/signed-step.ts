import { equalsConstantTime, signText } from "../../oauth/tokens.ts";
import type { Visit } from "../visit.ts";

// The result of one sign-in step, for the next step: signed, bound to the browser, and valid for some minutes. So
// the person enters the password once.

const validSeconds = 600;

const sign = ({ oauth, csrf }: Visit, purpose: string, text: string): string =>
  signText(oauth.secret, purpose, `${text} ${csrf}`);

export function signStep(visit: Visit, purpose: string, value: unknown): string {
  const ends = visit.oauth.clock.now().getTime() + validSeconds * 1000;
  const text = Buffer.from(JSON.stringify({ value, ends })).toString("base64url");
  return `${text}.${sign(visit, purpose, text)}`;
}

/** Null: it is not ours, or it took too long. */
export function readStep<T>(visit: Visit, purpose: string, token: string): T | null {
  const [text = "", signature = ""] = token.split(".");
  if (!equalsConstantTime(signature, sign(visit, purpose, text))) return null;
  const { value, ends } = JSON.parse(Buffer.from(text, "base64url").toString()) as { value: T; ends: number };
  return visit.oauth.clock.now().getTime() < ends ? value : null;
}
