import { getHeaders, type InboundMessage } from "./message.ts";

// RFC 8601: what a mail server we trust found out about the sender. Anybody may write such a header: others are not
// believed. Parts of it are words of the sender, who may have put a verdict of their own into quotes.

/** The parts between the semicolons, without comments; what stands in quotes divides nothing and names nothing. */
function splitHeader(header: string): string[] {
  const parts = [""];
  let comments = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const sign = header[at] as string;
    const isEscaped = sign === "\\" && (isQuoted || comments > 0);
    if (isEscaped) at++;
    else if (sign === '"' && comments === 0) isQuoted = !isQuoted;
    else if (sign === "(" && !isQuoted) comments++;
    else if (sign === ")" && comments > 0) comments--;
    else if (sign === ";" && !isQuoted && comments === 0) parts.push("");
    else if (comments === 0) parts[parts.length - 1] += isQuoted && /[\s=;]/.test(sign) ? "_" : sign;
  }
  return parts;
}

/** pass, fail or another word of the server; null: it says nothing. A pass for another domain than that of From is none. */
export function parseDmarcVerdict(message: InboundMessage, trusted: readonly string[]): string | null {
  const own = message.from?.address.toLowerCase().split("@")[1];
  for (const header of getHeaders(message, "authentication-results")) {
    const [server = "", ...results] = splitHeader(header);
    if (!trusted.includes(server.trim().split(/\s+/)[0]?.toLowerCase() ?? "")) continue;
    const verdicts = results.flatMap((result) => {
      const verdict = /^\s*dmarc\s*=\s*(\w+)/i.exec(result)?.[1]?.toLowerCase();
      if (verdict === undefined) return [];
      const domain = /\sheader\.from\s*=\s*(\S+)/i.exec(result)?.[1]?.toLowerCase().replace(/^.*@/, "");
      return verdict === "pass" && domain !== undefined && domain !== own ? "fail" : verdict;
    });
    // The topmost header is the latest. Where it says several things, the worst of them counts.
    return (
      verdicts.find((verdict) => verdict === "fail") ??
      verdicts.find((verdict) => verdict !== "pass") ??
      verdicts[0] ??
      null
    );
  }
  return null;
}
