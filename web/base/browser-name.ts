/** "Chrome on Linux" from a browser's user agent; programs are shown by the name they send. */
export function browserName(agent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrom(e|ium)\//, "Chrome"],
    [/Safari\//, "Safari"],
  ];
  const systems: [RegExp, string][] = [
    [/Android/, "Android"],
    [/iPhone|iPad/, "iOS"],
    [/Windows/, "Windows"],
    [/Mac OS/, "macOS"],
    [/Linux/, "Linux"],
  ];
  const found = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = found(browsers);
  if (browser === undefined) return agent.slice(0, 60) || "?";
  const system = found(systems);
  return system === undefined ? browser : `${browser} · ${system}`;
}
