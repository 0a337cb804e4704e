import type { FastifyReply, FastifyRequest } from "fastify";

// Over HTTPS cookie names have the __Host- prefix: browsers refuse such cookies from sibling domains.

type CookieTarget = { reply: FastifyReply; origin: string };

const isHttps = (origin: string): boolean => origin.startsWith("https:");
const getFullName = (name: string, origin: string): string => (isHttps(origin) ? `__Host-${name}` : name);

export function readCookie(request: FastifyRequest, name: string, origin: string): string | null {
  const fullName = getFullName(name, origin);
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === fullName) return part.slice(at + 1).trim() || null;
  }
  return null;
}

function writeCookie({ reply, origin }: CookieTarget, name: string, value: string, attributes: string): void {
  const cookie = `${getFullName(name, origin)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps(origin) ? "; Secure" : ""}${attributes}`;
  const current = reply.getHeader("Set-Cookie");
  const others = [current ?? []].flat().map(String);
  // A response must not set the same cookie twice.
  const kept = others.filter((other) => !other.startsWith(`${getFullName(name, origin)}=`));
  reply.removeHeader("Set-Cookie");
  reply.header("Set-Cookie", [...kept, cookie]);
}

/** A session cookie unless `seconds` is given. */
export const setCookie = (target: CookieTarget, name: string, value: string, seconds?: number): void =>
  writeCookie(target, name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`);
export const clearCookie = (target: CookieTarget, name: string): void => writeCookie(target, name, "", "; Max-Age=0");
