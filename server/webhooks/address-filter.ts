import { promises as dns, lookup } from "node:dns";
import { promisify } from "node:util";
import ipaddr from "ipaddr.js";

// Which receivers we talk to: public addresses, and the ranges that WEBHOOK_ALLOW names. A name counts as the addresses
// it resolves to, all of them; a single one that is not allowed is reason enough to refuse.

/** Throws when the receiver is not for us to call; the message may be shown to administrators. */
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
    // An IPv4 address in the clothes of an IPv6 one is what it is.
    const address = ipaddr.process(text);
    const listed = this.allowed.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
    if (listed) return true;
    if (address.range() !== "unicast") return false;
    return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
  }

  /** The addresses behind a host of a URL, each of them allowed. */
  async resolveAllowed(host: string): Promise<ResolvedAddress[]> {
    const name = host.replace(/^\[(.*)\]$/, "$1");
    const found = ipaddr.isValid(name) ? [name] : await this.resolve(name);
    if (found.length === 0) throw new Error("the name cannot be resolved");
    if (!found.every((address) => this.isAllowed(address))) throw new AddressNotAllowed("the address is not allowed");
    return found.map((address) => ({ address, family: ipaddr.parse(address).kind() === "ipv6" ? 6 : 4 }));
  }

  /**
   * Asked by packets, which wait for nobody else's answer. What the name servers do not know may stand in the machine's
   * own list; that is asked by few at a time, because it takes a thread each.
   */
  private async resolve(name: string): Promise<string[]> {
    const bare = name.replace(/\.$/, "").toLowerCase();
    if (bare === "localhost" || bare.endsWith(".localhost")) return ["127.0.0.1"];
    const answers = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    if (this.pendingLookups >= 2) throw new Error("the name cannot be resolved");
    this.pendingLookups++;
    const asked = lookUpHost(name, { all: true }).finally(() => this.pendingLookups--);
    const late = new Promise<never>((_, reject) => setTimeout(reject, lookupTimeout).unref());
    const list = await Promise.race([asked, late]).catch(() => []);
    return list.map(({ address }) => address);
  }
}

/** What is wrong with the address of a webhook, as far as it can be known before it is called. */
export async function findAddressProblem(addresses: AddressFilter, text: string): Promise<string | null> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return "is not a valid URI";
  const late = new Promise<null>((resolve) => setTimeout(resolve, 1000, null).unref());
  const known = addresses
    .resolveAllowed(url.hostname)
    .catch((error) => (error instanceof AddressNotAllowed ? "refused" : null));
  return (await Promise.race([known, late])) === "refused" ? "is not a public address" : null;
}
