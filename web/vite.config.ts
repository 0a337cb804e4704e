import { join } from "node:path";
import { defineConfig } from "vite";

const server = process.env.STEWARD_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: import.meta.dirname,
  base: "/web/",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // An icon inlined as a data: URL would need a wider content security policy than the page has.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The workspace and the portal: nobody loads the other one.
      input: ["index.html", "portal.html"].map((page) => join(import.meta.dirname, page)),
      // Libraries mark their files for servers that render React; here that means nothing.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
    },
  },
  // While developing (npm run dev:web) the pages come from Vite and everything else from a running server.
  server: { proxy: Object.fromEntries(["/v1", "/session-api", "/sign_in", "/assets"].map((path) => [path, server])) },
});
