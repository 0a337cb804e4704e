import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

// House style, "Imports point down". A room imports rooms to its right; rooms between two arrows leave each other alone.

const root = join(import.meta.dirname, "..");

/** Rooms from the top to the bottom; those on one line are neighbours. */
const floors = [
  ["main"],
  ["pages", "web"],
  ["api"],
  ["oauth"],
  ["inbound"],
  ["webhooks", "automation", "notifications", "timers", "rules", "exchange"],
  ["clock"],
  ["engine"],
  ["queue", "mail"],
  ["storage"],
  ["base"],
];
const floorOf = (room: string) => floors.findIndex((floor) => floor.includes(room));

type Import = { from: string; to: string; typeOnly: boolean };

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(folder, file));

/** Every import and re-export, static or not; one that names types alone counts as a type import. */
function importsOf(file: string): (Import & { path: string })[] {
  const text = readFileSync(join(root, file), "utf8");
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?([\w*{][^"';]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...statements].map(([, type, clause, path, lazy]) => {
    const names =
      /\{([^}]*)\}/
        .exec(clause ?? "")?.[1]
        ?.split(",")
        .map((name) => name.trim())
        .filter(Boolean) ?? [];
    const onlyTypes =
      names.length > 0 && names.every((name) => name.startsWith("type ")) && !/^\w+\s*,/.test(clause ?? "");
    const target = (path ?? lazy) as string;
    const to = target.startsWith(".") ? relative(root, resolve(root, dirname(file), target)) : target;
    return { from: file, to, path: target, typeOnly: type !== undefined || onlyTypes };
  });
}

/** The room of a file: main.ts, service.ts and the commands are the top one. */
function roomOf(file: string): string {
  const [folder, room, ...rest] = file.split("/") as [string, string, ...string[]];
  if (folder !== "server") return folder;
  return rest.length === 0 || room === "commands" ? "main" : room;
}

const all = [...filesOf("records"), ...filesOf("server")].flatMap(importsOf);
const inner = all.filter(({ path }) => path.startsWith("."));
const told = (list: readonly Import[]) => list.map(({ from, to }) => `${from} imports ${to}`);

/** Files that import each other in a circle, each circle once. */
function circles(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Map<string, string[]>();
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const circle = path.slice(at);
      found.set([...circle].sort().join(), circle);
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...found.values()];
}

test("the imports were found, and every one of ours names its file with .ts", () => {
  expect(inner.length).toBeGreaterThan(200);
  expect(inner.some(({ typeOnly }) => typeOnly) && inner.some(({ typeOnly }) => !typeOnly)).toBe(true);
  expect(told(inner.filter(({ to }) => !to.endsWith(".ts")))).toEqual([]);
});

test("records imports nothing outside records", () => {
  expect(told(all.filter(({ from, to }) => from.startsWith("records/") && !to.startsWith("records/")))).toEqual([]);
});

test("every room of the server has its place in the house", () => {
  const rooms = new Set(filesOf("server").map(roomOf));
  expect([...rooms].filter((room) => floorOf(room) < 0)).toEqual([]);
});

test("imports point down, and neighbours leave each other alone", () => {
  const wrong = inner.filter(({ from, to }) => {
    if (!from.startsWith("server/") || to.startsWith("records/")) return false;
    const [here, there] = [roomOf(from), roomOf(to)];
    return here !== there && floorOf(there) <= floorOf(here);
  });
  expect(told(wrong)).toEqual([]);
});

test("the clock is arithmetic: it knows base and Temporal, and nothing that reads or writes", () => {
  const allowed = (to: string) => to === "temporal-polyfill" || ["clock", "base"].includes(roomOf(to));
  const wrong = all.filter(({ from, to }) => from.startsWith("server/clock/") && !allowed(to));
  expect(told(wrong)).toEqual([]);
});

test("no file imports itself by way of others", () => {
  expect(circles(inner.filter(({ typeOnly }) => !typeOnly))).toEqual([]);
});

test("types do not run in circles from room to room", () => {
  expect(circles(inner).filter((circle) => new Set(circle.map(roomOf)).size > 1)).toEqual([]);
});
