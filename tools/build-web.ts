import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, listFiles, root } from "./built-folder.ts";

// The pages in the browser, built into web/dist.

const dist = join(root, "web", "dist");

const listSources = (): string[] => [
  ...["web", "records", "markup"]
    .flatMap(listFiles)
    .filter((file) => !file.startsWith(dist))
    .sort(),
  ...["CHANGELOG.md", "package-lock.json"].map((file) => join(root, file)),
  import.meta.filename,
];

/** Compressed once here, so that the server never has to. */
async function compress(folder: string): Promise<void> {
  const brotli = (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const files = await readdir(join(folder, "assets"));
  await Promise.all(
    files.map(async (name) => {
      if (name.endsWith(".woff2")) return; // compressed already
      const file = join(folder, "assets", name);
      const bytes = await readFile(file);
      await writeFile(`${file}.br`, await brotli(bytes));
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

export const buildWeb = (say: (line: string) => void): Promise<void> =>
  build(
    {
      folder: dist,
      what: "the pages of the web interface",
      sources: listSources(),
      async make(place) {
        const { build: bundle } = await import("vite");
        const configFile = join(root, "web", "vite.config.ts");
        await bundle({ configFile, logLevel: "warn", build: { outDir: place } });
        await compress(place);
      },
    },
    say,
  );
