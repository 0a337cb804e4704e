import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = join(import.meta.dirname, "../../..");

/**
 * The server and the packages that it uses in a few files: a process that loads them starts in half the time that the
 * thousand modules take, and the suite starts more than a hundred. The server's modules keep their places in the source
 * tree, where they look for files. `name`: of the folder that gets them; runs at the same time need different ones.
 */
export async function bundleServer(name = "steward-test-server"): Promise<string> {
  const outDir = join(root, "node_modules/.cache", name);
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
          return code
            .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
            .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href));
        },
      },
    ],
  });
  return join(outDir, "main.mjs");
}
