import { promises as dns, lookup } from "node:dns";
import { promisify } from "node:util";
import ipaddr from "ipaddr.js";
import { isPortOfAnotherProtocol } from "./ports.ts";

// Only public addresses and the ranges in WEBHOOK_ALLOW may be called. A host name is refused if any address it resolves
// to is not allowed.

/** Its message may be shown to administrators. */
export class AddressNotAllowed extends Error {}

type Ranges = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
export type ResolvedAddress = { address: string; family: 4 | 6 };

export function parseRanges(text: string): Ranges {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => ipaddr.parseCIDR(part));
}

export const loopbackRanges = parseRanges("127.0.0.0/8,::1/128");

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

const lookUpHost = promisify(lookup);
const lookupTimeout = 4000;

export class AddressFilter {
  private readonly allowed: Ranges;
  private readonly resolver: dns.Resolver;
  private pendingLookups = 0;

  constructor(allowed: Ranges, nameServers: readonly string[] = []) {
    this.allowed = allowed;
    this.resolver = new dns.Resolver({ timeout: 1500, tries: 2 });
    if (nameServers.length > 0) this.resolver.setServers(nameServers);
  }

  isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
    const address = ipaddr.process(text);
    const listed = this.allowed.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
    if (listed) return true;
    if (address.range() !== "unicast") return false;
    return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
  }

  /** The addresses behind a host of a URL, each of them allowed. */
  async resolveAllowed(host: string): Promise<ResolvedAddress[]> {
    const name = host.replace(/^\[(.*)\]$/, "$1");
    const addresses = ipaddr.isValid(name) ? [name] : await this.resolve(name);
    if (addresses.length === 0) throw new Error("the name cannot be resolved");
    if (!addresses.every((address) => this.isAllowed(address)))
      throw new AddressNotAllowed("the address is not allowed");
    return addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === "ipv6" ? 6 : 4 }));
  }

  /**
   * Asks the name servers directly, without occupying a thread. A name that they do not know may be in the hosts file of
   * the machine; such a lookup takes a thread, so at most two run at a time.
   */
  private async resolve(name: string): Promise<string[]> {
    const bare = name.replace(/\.$/, "").toLowerCase();
    if (bare === "localhost" || bare.endsWith(".localhost")) return ["127.0.0.1"];
    const answers = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (this.pendingLookups >= 2) throw new Error("the name cannot be resolved");
    this.pendingLookups++;
    const found = lookUpHost(name, { all: true }).finally(() => this.pendingLookups--);
    const timedOut = new Promise<never>((_, reject) => setTimeout(reject, lookupTimeout).unref());
    const list = await Promise.race([found, timedOut]).catch(() => []);
    return list.map(({ address }) => address);
  }
}

/** The problem of a webhook's address, as far as it is known within a second. */
export async function findAddressProblem(addresses: AddressFilter, text: string): Promise<string | null> {
  // WH2: URL would remove tabs and line breaks, and encode other blanks.
  if (/[\s\p{Cc}]/u.test(text)) return "contains invalid characters";
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return "is not a valid URI";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (isPortOfAnotherProtocol(url.port)) return "must not use the port of another protocol";
  const timedOut = new Promise<null>((resolve) => setTimeout(resolve, 1000, null).unref());
  const resolved = addresses
    .resolveAllowed(url.hostname)
    .catch((error) => (error instanceof AddressNotAllowed ? "refused" : null));
  return (await Promise.race([resolved, timedOut])) === "refused" ? "is not a public address" : null;
}
