import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAllowedLicense, listDependencies, readLock, renderPage } from "../../tools/check-licenses.ts";

// The dependencies that an installation downloads and runs are complete, pinned, listed and licensed.

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packages = readLock();
const installed = Object.entries(packages).filter(([path, entry]) => path.includes("node_modules/") && !entry.link);

/** Returns the path at which Node finds a package, searching outward from the package that requires it. */
function resolvePackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("node_modules/") - 1, 0))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}

test("D-190: the lock lists every package of every platform, so npm ci installs it", () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => resolvePackage(path, name) === undefined)
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

/** One package reports installations; the other contains unused pictures. */
const emptyPackages = { "@scarf/scarf": "scarf", "@tabler/icons": "tabler-icons" };

test("D-190: versions are exact, and every package has a hash and no registry address", () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
  const ranges = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides });
  const isExact = (version: string) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
  const loose = ranges.filter(([, version]) => !isExact(version)).map(([name]) => name);
  expect(loose).toEqual(Object.keys(emptyPackages));
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test("D-191: package.json lists exactly the packages with install scripts", () => {
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  const named = Object.keys(manifest.allowScripts).map((name) => `node_modules/${name}`);
  expect(withScripts.sort()).toEqual(named.sort());
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^strict-allow-scripts=true$/m);
});

test.each(Object.entries(emptyPackages))("D-191: %s is replaced by an empty folder", (name, folder) => {
  const resolved = `tools/empty-packages/${folder}`;
  const inLock = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  expect(inLock).toEqual([[`node_modules/${name}`, { resolved, link: true }]]);
  expect(readdirSync(join(root, resolved))).toEqual(["package.json"]);
  const { scripts, dependencies } = JSON.parse(readFileSync(join(root, resolved, "package.json"), "utf8"));
  expect({ scripts, dependencies }).toEqual({});
});

test("D-192: every dependency has an allowed license", () => {
  const refused = listDependencies(packages).filter(({ license }) => !isAllowedLicense(license));
  expect(refused).toEqual([]);
});

test("D-192: alternative licenses need one allowed license, combined licenses need all", () => {
  expect(isAllowedLicense("(GPL-3.0 OR MIT)")).toBe(true);
  expect(isAllowedLicense("(MIT AND GPL-3.0)")).toBe(false);
  expect(isAllowedLicense("SEE LICENSE IN LICENSE.md")).toBe(false);
  expect(isAllowedLicense(undefined)).toBe(false);
});

test("D-192: docs/dependencies.md is current (npm run list-dependencies)", () => {
  expect(readFileSync(join(root, "docs/dependencies.md"), "utf8")).toBe(renderPage(listDependencies(packages)));
});
