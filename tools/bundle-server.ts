import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

/** A folder for a bundle: all of them are equally deep, so that one can be moved to the place of another. */
export const bundleFolder = (name: string): string => join(root, "node_modules/.cache", name);

/**
 * The server and the packages that it uses in a few files: a process that loads them starts in half the time that the
 * thousand modules take, and needs less memory. The server's modules keep their places in the source tree, where they
 * look for files. Runs at the same time need different folders.
 */
export async function bundleServer(outDir: string): Promise<string> {
  const { build } = await import("vite");
  const main = join(root, "server/main.ts");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ...{ ssr: main, outDir, emptyOutDir: true, minify: false, target: "node24" },
      // By their names Node knows them as modules, and does not parse them twice to find out.
      rolldownOptions: { output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } },
    },
    ssr: { noExternal: true, external: ["@node-rs/argon2", "vite"], target: "node" },
    plugins: [
      {
        name: "places in the source tree",
        enforce: "pre",
        transform(code, id) {
          if (!id.endsWith(".ts") || !code.includes("import.meta.")) return null;
          // Seen from the bundle, so that the whole tree can be moved.
          const place = (path: string) => JSON.stringify(relative(outDir, path));
          return code
            .replaceAll("import.meta.dirname", `(import.meta.dirname + "/" + ${place(dirname(id))})`)
            .replaceAll("import.meta.url", `new URL(${place(id)}, import.meta.url).href`);
        },
      },
    ],
  });
  return join(outDir, "main.mjs");
}
