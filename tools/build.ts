import { buildServer } from "./build-server.ts";
import { buildWeb } from "./build-web.ts";

// Builds what `npm start` needs: at `npm install`, and at `npm start` when a file has changed (build-if-changed.sh).

const say = (line: string) => void process.stderr.write(`${line}\n`);
try {
  await buildWeb(say);
  await buildServer(say);
} catch (error) {
  say(`The program could not be built.\n${error instanceof Error ? error.message : error}`);
  // An install that fails would leave nothing to repair the sources with; `npm start` says it again, and stops.
  if (!process.argv.includes("--when-possible")) process.exitCode = 1;
}
