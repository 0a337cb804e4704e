import { getHeaders, type InboundMessage } from "./message.ts";

// RFC 8601: the verdict of a trusted mail server on the sender. Any sender can add such a header, so only those of trusted
// servers count. Quoted values come from the sender and may imitate a verdict.

/** Splits at semicolons and drops comments; quoted text neither separates parts nor forms a name. */
function splitHeader(header: string): string[] {
  const parts = [""];
  let comments = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const character = header[at] as string;
    const isEscaped = character === "\\" && (isQuoted || comments > 0);
    if (isEscaped) at++;
    else if (character === '"' && comments === 0) isQuoted = !isQuoted;
    else if (character === "(" && !isQuoted) comments++;
    else if (character === ")" && comments > 0) comments--;
    else if (character === ";" && !isQuoted && comments === 0) parts.push("");
    else if (comments === 0) parts[parts.length - 1] += isQuoted && /[\s=;]/.test(character) ? "_" : character;
  }
  return parts;
}

/** `pass`, `fail` or another result; null: there is none. A pass for a domain other than that of From counts as fail. */
export function parseDmarcVerdict(message: InboundMessage, trusted: readonly string[]): string | null {
  const senderDomain = message.from?.address.toLowerCase().split("@")[1];
  for (const header of getHeaders(message, "authentication-results")) {
    const [server = "", ...results] = splitHeader(header);
    if (!trusted.includes(server.trim().split(/\s+/)[0]?.toLowerCase() ?? "")) continue;
    const verdicts = results.flatMap((result) => {
      const verdict = /^\s*dmarc\s*=\s*(\w+)/i.exec(result)?.[1]?.toLowerCase();
      if (verdict === undefined) return [];
      const domain = /\sheader\.from\s*=\s*(\S+)/i.exec(result)?.[1]?.toLowerCase().replace(/^.*@/, "");
      return verdict === "pass" && domain !== undefined && domain !== senderDomain ? "fail" : verdict;
    });
    // The topmost header is the latest. Of several results the worst counts.
    return (
      verdicts.find((verdict) => verdict === "fail") ??
      verdicts.find((verdict) => verdict !== "pass") ??
      verdicts[0] ??
      null
    );
  }
  return null;
}
