import { enableCompileCache } from "node:module";
import { join } from "node:path";

// The entry: node server/main.ts <command>. What the commands do stands in server/commands, one file each.

// What Node makes of our files is kept beside the packages: the next start is quicker and takes less memory. It must be
// switched on before they are loaded.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/steward"));
const [{ commands }, { run }] = await Promise.all([
  import("./commands/index.ts"),
  import("./commands/command-line/run.ts"),
]);

// Whoever reads our output may stop reading, as `head` does; that is no reason for a stack.
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
