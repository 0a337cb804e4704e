/** The words people read in a piece of HTML: what stands between its tags, each once, in order. */
export function extractPhrases(html: string | null): string[] {
  const phrases = new Set<string>();
  let silent = "";
  for (const [index, piece] of (html ?? "").split("<").entries()) {
    const end = index === 0 ? -1 : piece.indexOf(">");
    const tag = index === 0 ? "" : piece.slice(0, end === -1 ? undefined : end).toLowerCase();
    if (silent !== "" && !tag.startsWith(`/${silent}`)) continue; // inside a script, a "<" is no tag
    silent = /^(script|style)\b/.exec(tag)?.[1] ?? "";
    const words = silent !== "" || (index > 0 && end === -1) ? "" : piece.slice(end + 1);
    const phrase = words.replace(/\s+/g, " ").trim();
    if (phrase !== "") phrases.add(phrase);
  }
  return [...phrases];
}
