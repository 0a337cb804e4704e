import { BlockList, isIP } from "node:net";

// Networks from which an account may be used: single addresses and CIDR ranges, IPv4 and IPv6.

const maxNetworks = 200;

type Network = { address: string; bits: number; family: "ipv4" | "ipv6" };

export function parseNetwork(text: string): Network | null {
  const [address = "", bits, ...rest] = text.split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return null;
  const longest = version === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return null;
  return { address, bits: bits === undefined ? longest : Number(bits), family: version === 4 ? "ipv4" : "ipv6" };
}

/** The check of a policy: true, or what is wrong. */
export function checkNetworks(value: unknown): boolean | string {
  if (!Array.isArray(value)) return false;
  if (value.length > maxNetworks) return `has too many networks (at most ${maxNetworks})`;
  const wrong = value.find((entry) => typeof entry !== "string" || parseNetwork(entry) === null);
  if (wrong === undefined) return true;
  return typeof wrong === "string" ? `has "${wrong.slice(0, 60)}", which is not an address or a CIDR range` : false;
}

// A policy is cached, so is what is built from it.
const blockLists = new WeakMap<readonly string[], BlockList>();

function getBlockList(networks: readonly string[]): BlockList {
  const built = blockLists.get(networks);
  if (built !== undefined) return built;
  const list = new BlockList();
  for (const { address, bits, family } of networks.map(parseNetwork).filter((network) => network !== null))
    list.addSubnet(address, bits, family);
  blockLists.set(networks, list);
  return list;
}

/** No networks: everywhere is allowed. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const version = isIP(address);
  return version !== 0 && getBlockList(networks).check(address, version === 6 ? "ipv6" : "ipv4");
}
