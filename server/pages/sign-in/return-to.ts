/** A path of our own to go to after signing in; anything that could lead elsewhere is dropped. */
export function parseOwnPath(wanted: string | null): string | null {
  if (wanted === null || wanted.length > 4000 || !/^\/[\x21-\x7e]*$/.test(wanted)) return null;
  // "//host" and "/\host" are other hosts to a browser.
  if (/^\/[/\\]/.test(wanted) || wanted.includes("\\")) return null;
  return new URL(wanted, "http://here.invalid").host === "here.invalid" ? wanted : null;
}

export const pickReturnPath = (wanted: string | null): string => parseOwnPath(wanted) ?? "/";
