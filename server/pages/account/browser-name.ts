// What people call the browser and the machine behind a User-Agent; the first that fits. Others are shown as they are.

const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const machines: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

const findMatch = (list: [RegExp, string][], agent: string) => list.find(([pattern]) => pattern.test(agent))?.[1];

export function getBrowserName(agent: string): string {
  const [browser, machine] = [findMatch(browsers, agent), findMatch(machines, agent)];
  if (browser === undefined) return agent || "unknown";
  return machine === undefined ? browser : `${browser} on ${machine}`;
}
