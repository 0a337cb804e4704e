/** A path of this server to open after sign-in; null for anything that could lead to another host. */
export function parseOwnPath(path: string | null): string | null {
  if (path === null || path.length > 4000 || !/^\/[\x21-\x7e]*$/.test(path)) return null;
  // Browsers read "//host" and "/\host" as other hosts.
  if (/^\/[/\\]/.test(path) || path.includes("\\")) return null;
  return new URL(path, "http://here.invalid").host === "here.invalid" ? path : null;
}

export const pickReturnPath = (path: string | null): string => parseOwnPath(path) ?? "/";
