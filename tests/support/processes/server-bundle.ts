import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = join(import.meta.dirname, "../../..");

/**
 * The server in a few files: a process that loads them starts in two thirds of the time that the hundreds of modules take,
 * and the suite starts more than a hundred. The modules keep their places in the source tree, where they look for files.
 */
export async function bundleServer(): Promise<string> {
  const outDir = join(root, "node_modules/.cache/steward-test-server");
  const main = join(root, "server/main.ts");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: { ssr: main, outDir, emptyOutDir: true, minify: false, target: "node24" },
    ssr: { external: true, target: "node" },
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
  return join(outDir, "main.js");
}
