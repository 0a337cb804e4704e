import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { restartWithHeapFlags } from "./commands/command-line/heap-flags.ts";

// The entry point: node server/main.ts <command>. server/commands holds one file per command.

if (process.argv[2] === "serve") restartWithHeapFlags();
// Node caches compiled files next to the packages: the next start is faster and needs less memory. The cache must be
// enabled before the files are loaded.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/steward"));
const [{ commands }, { run }] = await Promise.all([
  import("./commands/index.ts"),
  import("./commands/command-line/run.ts"),
]);

// A reader like `head` may close the pipe early, which is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await run(process.argv.slice(2), commands, {
  print: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
  // Opened when a command reads it, and not before.
  get input() {
    return process.stdin;
  },
});
process.exit(code);
