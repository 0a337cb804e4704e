import type { FastifyReply, FastifyRequest } from "fastify";

// Over HTTPS the names carry the prefix that browsers guard: such a cookie cannot come from a neighbouring host.

type CookieTarget = { reply: FastifyReply; origin: string };

const isHttps = (origin: string): boolean => origin.startsWith("https:");
const getFullName = (name: string, origin: string): string => (isHttps(origin) ? `__Host-${name}` : name);

export function readCookie(request: FastifyRequest, name: string, origin: string): string | null {
  const wanted = getFullName(name, origin);
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === wanted) return part.slice(at + 1).trim() || null;
  }
  return null;
}

function writeCookie({ reply, origin }: CookieTarget, name: string, value: string, more: string): void {
  const cookie = `${getFullName(name, origin)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps(origin) ? "; Secure" : ""}${more}`;
  const before = reply.getHeader("Set-Cookie");
  const others = [before ?? []].flat().map(String);
  // Of two cookies with one name browsers would take the last; one answer says one thing.
  const kept = others.filter((other) => !other.startsWith(`${getFullName(name, origin)}=`));
  reply.removeHeader("Set-Cookie");
  reply.header("Set-Cookie", [...kept, cookie]);
}

/** Gone when the browser is closed, unless it has a lifetime. */
export const setCookie = (place: CookieTarget, name: string, value: string, seconds?: number): void =>
  writeCookie(place, name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`);
export const clearCookie = (place: CookieTarget, name: string): void => writeCookie(place, name, "", "; Max-Age=0");
