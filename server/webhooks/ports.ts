// A call of a webhook to a service that does not speak HTTP could still be understood as commands by it.

/** The ports that browsers refuse, as the Fetch standard of the WHATWG lists them ("bad port"). */
// biome-ignore format: a list keeps its lines
const portsRefusedByBrowsers = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540,
  548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Databases, caches, queues and remote desktops that listen inside of networks. */
// biome-ignore format: a list keeps its lines
const portsOfOtherServices = [
  445, 873, 1433, 1521, 2181, 3306, 3389, 5432, 5433, 5672, 5900, 6379, 6432, 9042, 9092, 11211, 27017,
];

const refusedPorts = new Set([...portsRefusedByBrowsers, ...portsOfOtherServices].map(String));

/** The port of a URL, which is empty where it is the standard port of the protocol. */
export const isPortOfAnotherProtocol = (port: string): boolean => refusedPorts.has(port);
