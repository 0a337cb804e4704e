// npm run check: formatting, lint, types and migrations, in parallel. Failures are printed one part after the other.

import { spawn } from "node:child_process";
import { once } from "node:events";

// Single-threaded: the checks run in parallel already, and each thread of a compiler resolves the same types again.
const typeCheck = "tsc --noEmit --singleThreaded";
const parts = ["biome check .", typeCheck, `${typeCheck} -p web`, "node tools/lint-migrations.ts"];

async function run(part: string): Promise<{ part: string; code: number; output: string }> {
  const child = spawn(part, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { part, code: code ?? 1, output };
}

for (const { part, code, output } of await Promise.all(parts.map(run))) {
  if (code === 0) continue;
  console.error(`${output}\n${part}: failed`);
  process.exitCode = 1;
}
