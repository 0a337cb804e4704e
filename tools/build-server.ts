import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, listFiles, root } from "./built-folder.ts";
import { bundleFolder, bundleServer } from "./bundle-server.ts";

// The server as `npm start` runs it: in a few files (D-641). A server that is running loads some of them when they are first wanted, so
// every version has a folder of its own, and the ones before the newest stay.

const folder = bundleFolder("steward-server");
const keptVersions = 3;

const isSource = (file: string): boolean => !file.endsWith(".test.ts");

async function publish(place: string, version: string): Promise<void> {
  const target = join(folder, version);
  // A server may be running from a bundle of the same sources, built before or by another process meanwhile.
  if (!existsSync(target)) await rename(place, target);
  await utimes(target, new Date(), new Date());
  await writeFile(join(folder, "main.mjs.new"), `import "./${version}/main.mjs";\n`);
  await rename(join(folder, "main.mjs.new"), join(folder, "main.mjs"));
  await removeOldVersions();
}

async function removeOldVersions(): Promise<void> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => /^[0-9a-f]{16}$/.test(entry.name));
  const versions = await Promise.all(
    entries.map(async ({ name }) => ({ path: join(folder, name), made: (await stat(join(folder, name))).mtimeMs })),
  );
  versions.sort((one, other) => other.made - one.made);
  for (const { path } of versions.slice(keptVersions)) await rm(path, { recursive: true, force: true });
}

export async function buildServer(say: (line: string) => void): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build(
    {
      folder,
      what: "the server",
      sources: [
        ...["server", "records", "markup", "demo"].flatMap(listFiles).filter(isSource).sort(),
        ...["package-lock.json", "tools/bundle-server.ts", "tools/build-server.ts"].map((file) => join(root, file)),
      ],
      place: join(folder, `building-${process.pid}`),
      make: async (place) => void (await bundleServer(place)),
      publish,
    },
    say,
  );
}
