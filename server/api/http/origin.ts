import type { IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { buildAccountUrl, findAccountOfHost } from "../../base/account-url.ts";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";

// The address of the client, and the origin under which the client reached this server. Forwarded headers are trusted only
// from configured proxies.

const proxyLists = new WeakMap<Configuration, BlockList>();

/** TRUST_PROXY holds addresses and CIDR ranges. */
export function getTrustedProxies(configuration: Configuration): BlockList {
  let list = proxyLists.get(configuration);
  if (list === undefined) {
    list = new BlockList();
    for (const entry of configuration.trustProxy) {
      const [address, bits] = entry.split("/") as [string, string?];
      const family = isIP(address) === 6 ? "ipv6" : isIP(address) === 4 ? "ipv4" : null;
      if (family === null || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
        throw new OperatorError(`TRUST_PROXY: "${entry}" is not an address or a CIDR range.`);
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    }
    proxyLists.set(configuration, list);
  }
  return list;
}

export const unmapIpv4 = (address: string | undefined): string =>
  (address ?? "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, "");

const isListed = (list: BlockList, address: string): boolean =>
  isIP(address) === 0 ? false : list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

export const isTrustedProxy = (configuration: Configuration, { remoteAddress }: Socket): boolean =>
  configuration.trustProxy.length > 0 && isListed(getTrustedProxies(configuration), unmapIpv4(remoteAddress));

const isFromTrustedProxy = (configuration: Configuration, request: IncomingMessage): boolean =>
  isTrustedProxy(configuration, request.socket);

/** The last address of the forwarded chain that is no trusted proxy. */
export function getClientAddress(configuration: Configuration, request: IncomingMessage): string {
  const direct = unmapIpv4(request.socket.remoteAddress);
  if (!isFromTrustedProxy(configuration, request)) return direct;
  const chain = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => unmapIpv4(part.trim()))
    .filter((part) => isIP(part) !== 0);
  return chain.reverse().find((address) => !isListed(getTrustedProxies(configuration), address)) ?? direct;
}

export const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** The trusted proxy wrote the last value; the values before it came from the client. */
const isForwardedHttps = (request: IncomingMessage): boolean =>
  String(request.headers["x-forwarded-proto"] ?? "")
    .split(",")
    .at(-1)
    ?.trim() === "https";

/** Requests are served over TLS, from a trusted proxy that received them over HTTPS, or from this machine. */
export function isSecure(configuration: Configuration, request: IncomingMessage): boolean {
  if ((request.socket as TLSSocket).encrypted) return true;
  if (isFromTrustedProxy(configuration, request)) return isForwardedHttps(request);
  return isLoopback(unmapIpv4(request.socket.remoteAddress));
}

/** The host that the client used. */
function getHost(configuration: Configuration, request: IncomingMessage): string {
  const forwarded = isFromTrustedProxy(configuration, request) ? request.headers["x-forwarded-host"] : undefined;
  return (forwarded as string | undefined) ?? request.headers.host ?? "";
}

/** The account whose own host the client used (CO29); null: another host. */
export const getAccountOfHost = (configuration: Configuration, request: IncomingMessage): string | null =>
  configuration.accountUrl === null ? null : findAccountOfHost(configuration, getHost(configuration, request));

/** The host of the account that the client used, or PUBLIC_URL, or the scheme and host that the client used. */
export function getOrigin(configuration: Configuration, request: IncomingMessage): string {
  const account = getAccountOfHost(configuration, request);
  if (account !== null) return buildAccountUrl(configuration, "", account);
  if (configuration.publicUrl !== null) return configuration.publicUrl;
  const forwarded = isFromTrustedProxy(configuration, request);
  const secure = (request.socket as TLSSocket).encrypted || (forwarded && isForwardedHttps(request));
  const host = getHost(configuration, request);
  const usable = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host)
    ? host
    : `127.0.0.1:${configuration.port}`;
  return `${secure ? "https" : "http"}://${usable}`;
}
