import { commands } from "./commands/index.ts";
import { run } from "./commands/run.ts";

// The entry: node server/main.ts <command>. What the commands do stands in server/commands, one file each.

// Whoever reads our output may stop reading, as `head` does; that is no reason for a stack.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await run(process.argv.slice(2), commands, {
  print: (line) => void process.stdout.write(`${line}\n`),
  say: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
});
process.exit(code);
