import { BlockList, isIP } from "node:net";

// Networks from which an account may be used, and the names of others: single addresses and CIDR ranges, IPv4 and IPv6.

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

const longestName = 60;

/** A network and its name, in one line as people write lists of them. */
function parseNamedNetwork(text: string): { network: string; name: string } | null {
  const [, network = "", name = ""] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  return name === "" || name.length > longestName || parseNetwork(network) === null ? null : { network, name };
}

/** The check of a policy: true, or what is wrong. */
export function checkNamedNetworks(value: unknown): boolean | string {
  if (!Array.isArray(value)) return false;
  if (value.length > maxNetworks) return `has too many networks (at most ${maxNetworks})`;
  const wrong = value.find((entry) => typeof entry !== "string" || parseNamedNetwork(entry) === null);
  if (wrong === undefined) return true;
  return typeof wrong === "string" ? `has "${wrong.slice(0, 60)}", which is not a network and its name` : false;
}

const namedNetworks = new WeakMap<readonly string[], { name: string; list: readonly string[] }[]>();

/** The name of the first network of the list that the address belongs to. */
export function findNetworkName(lines: readonly string[], address: string): string | null {
  let known = namedNetworks.get(lines);
  if (known === undefined) {
    const parsed = lines.map(parseNamedNetwork).filter((entry) => entry !== null);
    known = parsed.map(({ network, name }) => ({ name, list: [network] }));
    namedNetworks.set(lines, known);
  }
  return known.find(({ list }) => isInNetworks(list, address))?.name ?? null;
}
