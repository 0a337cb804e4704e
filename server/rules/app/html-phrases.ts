/** The text between the tags of a piece of HTML: each phrase once, in order. */
export function extractPhrases(html: string | null): string[] {
  const phrases = new Set<string>();
  let hiddenElement = ""; // the script or style element that the current piece is in
  for (const [index, piece] of (html ?? "").split("<").entries()) {
    const end = index === 0 ? -1 : piece.indexOf(">");
    const tag = index === 0 ? "" : piece.slice(0, end === -1 ? undefined : end).toLowerCase();
    if (hiddenElement !== "" && !tag.startsWith(`/${hiddenElement}`)) continue; // inside a script, a "<" is no tag
    hiddenElement = /^(script|style)\b/.exec(tag)?.[1] ?? "";
    const text = hiddenElement !== "" || (index > 0 && end === -1) ? "" : piece.slice(end + 1);
    const phrase = text.replace(/\s+/g, " ").trim();
    if (phrase !== "") phrases.add(phrase);
  }
  return [...phrases];
}
