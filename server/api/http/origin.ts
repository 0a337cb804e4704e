import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";

// Where a request comes from and under which address we are known to it. Forwarded headers are believed only from the
// proxies that are configured.

const proxyLists = new WeakMap<Configuration, BlockList>();

/** TRUST_PROXY: addresses and CIDR ranges. */
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

const unmapIpv4 = (address: string | undefined): string =>
  (address ?? "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, "");

const isListed = (list: BlockList, address: string): boolean =>
  isIP(address) === 0 ? false : list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

const isFromTrustedProxy = (configuration: Configuration, request: IncomingMessage): boolean =>
  configuration.trustProxy.length > 0 &&
  isListed(getTrustedProxies(configuration), unmapIpv4(request.socket.remoteAddress));

/** The address of the client: the last one in the forwarded chain that is no proxy of ours. */
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

/** The last word is that of the proxy we trust; those before it came with the request. */
const isForwardedHttps = (request: IncomingMessage): boolean =>
  String(request.headers["x-forwarded-proto"] ?? "")
    .split(",")
    .at(-1)
    ?.trim() === "https";

/** Encrypted, forwarded by a proxy over HTTPS, or from this very machine: nothing else is served. */
export function isSecure(configuration: Configuration, request: IncomingMessage): boolean {
  if ((request.socket as TLSSocket).encrypted) return true;
  if (isFromTrustedProxy(configuration, request)) return isForwardedHttps(request);
  return isLoopback(unmapIpv4(request.socket.remoteAddress));
}

/** PUBLIC_URL, or else the scheme and host the client used. */
export function getOrigin(configuration: Configuration, request: IncomingMessage): string {
  if (configuration.publicUrl !== null) return configuration.publicUrl;
  const forwarded = isFromTrustedProxy(configuration, request);
  const secure = (request.socket as TLSSocket).encrypted || (forwarded && isForwardedHttps(request));
  const host =
    (forwarded ? (request.headers["x-forwarded-host"] as string | undefined) : undefined) ?? request.headers.host ?? "";
  const usable = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host)
    ? host
    : `127.0.0.1:${configuration.port}`;
  return `${secure ? "https" : "http"}://${usable}`;
}
