import { quoteMark } from "./markup-writer.ts";

// Extracts the new text of an answer and drops the quoted message below it.

/** The line that some systems put below the place for the answer. */
export const replyAboveLine = /^[\s>*_-]*(?:please )?(?:reply|write|type your (?:reply|answer)) above this line\b/i;

// biome-ignore format: one line each
const markers: readonly RegExp[] = [
  replyAboveLine,
  /^[\s>*_]*-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|oorspronkelijk bericht)\s*-{2,}/i,
  /^[\s*_]*(?:on|am|le|el|op)\b.{4,300}(?:wrote|schrieb|a écrit|escribió|schreef)(?:\s*.{0,120})?:[\s*_]*$/i,
  /^_{20,}\s*$/,
];
const quoteHeader = /^[\s*_>]*(?:from|von|de|van)[*_]*:[\s*_].*$/i;
const furtherQuoteHeader =
  /^[\s*_>]*(?:sent|date|gesendet|datum|envoyé|enviado|verzonden|to|an|à|para|aan|subject|betreff|objet|asunto|onderwerp)[*_]*:/i;
const signature = /^-- ?$/;
const isQuoted = (line: string): boolean => /^\s*>/.test(line);
const isBlank = (line: string): boolean => line.trim() === "";

export const removeQuoteMark = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.includes(quoteMark))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** Returns the whole text where it has nothing but quotes, or answers between them. */
export function extractReply(text: string): string {
  const lines = text.split("\n");
  const at = findQuoteStart(lines);
  if (at === null) return removeSignature(lines);
  if (hasAnswersBelow(lines.slice(at + 1))) return removeQuoteMark(text);
  const answer = removeSignature(lines.slice(0, at));
  return answer === "" ? removeQuoteMark(text) : answer;
}

const maxMarkerLength = 500;

function findQuoteStart(lines: readonly string[]): number | null {
  for (const [at, line] of lines.entries()) {
    if (line.length > maxMarkerLength) continue;
    if (line.includes(quoteMark) || markers.some((marker) => marker.test(line))) return at;
    // Some programs break the "On … wrote:" line in two.
    const both = `${line} ${(lines[at + 1] ?? "").slice(0, maxMarkerLength)}`;
    if (/^[\s*_]*(?:on|am|le|el|op)\b/i.test(line) && line.length < 200 && markers[2]?.test(both)) return at;
    const following = lines.slice(at + 1, at + 5);
    if (quoteHeader.test(line) && following.filter((next) => furtherQuoteHeader.test(next)).length >= 2) return at;
  }
  // Quoted lines at the end without an introduction.
  let end = lines.length;
  while (end > 0 && (isQuoted(lines[end - 1] ?? "") || isBlank(lines[end - 1] ?? ""))) end--;
  return end < lines.length && lines.slice(end).some(isQuoted) ? end : null;
}

/** Whether there is unquoted text between quoted lines. */
function hasAnswersBelow(lines: readonly string[]): boolean {
  const first = lines.findIndex(isQuoted);
  if (first < 0) return false;
  const end = lines.findIndex((line) => signature.test(line));
  const below = lines.slice(first, end < 0 ? undefined : end);
  return below.some((line) => !isQuoted(line) && !isBlank(line) && !line.includes(quoteMark));
}

function removeSignature(lines: readonly string[]): string {
  const at = lines.findIndex((line) => signature.test(line));
  const kept = at > 0 && lines.slice(0, at).some((line) => !isBlank(line)) ? lines.slice(0, at) : lines;
  return removeQuoteMark(kept.join("\n"));
}
