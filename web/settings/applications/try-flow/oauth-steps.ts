import { type RawAnswer, type RawCall, sendRaw } from "../../../api/call.ts";

// The calls that an OAuth client makes, one by one, with requests and responses.

export type FlowStep = { title: string; request: string; answer: RawAnswer };
export type TokenAnswer = { access_token?: string; refresh_token?: string; expires_in?: number; error?: string };
export type PendingFlow = { client_id: string; client_secret: string; verifier: string; state: string };

const hide = (text: string, secrets: readonly string[]): string =>
  secrets.filter((secret) => secret !== "").reduce((shown, secret) => shown.replaceAll(secret, "…"), text);

/** Formats a call for display, without the secret. */
function describeRequest({ method, path, headers = {}, body }: RawCall, secrets: readonly string[]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const form =
    body === undefined ? [] : ["", ...[...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`)];
  return hide([`${method} ${path}`, ...lines, ...form].join("\n"), secrets);
}

export async function takeStep(title: string, call: RawCall, secrets: readonly string[]): Promise<FlowStep> {
  return { title, request: describeRequest(call, secrets), answer: await sendRaw(call) };
}

export const buildForm = (path: string, values: Readonly<Record<string, string>>): RawCall => ({
  method: "POST",
  path,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(values).toString(),
});

export function readTokens({ answer }: FlowStep): TokenAnswer {
  try {
    const tokens: TokenAnswer = JSON.parse(answer.body);
    return tokens;
  } catch {
    return {};
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

export const createRandom = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** S256 of RFC 7636. */
export const createChallenge = async (verifier: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

// The person leaves the page to give consent. The data needed afterwards is stored in the tab, and read once.
const storageKey = "steward-try-flow";
export const storeFlow = (flow: PendingFlow): void => sessionStorage.setItem(storageKey, JSON.stringify(flow));
export function consumeFlow(): PendingFlow | null {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text === null ? null : JSON.parse(text);
}
