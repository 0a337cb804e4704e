import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommandLine } from "./arguments.ts";
import type { Command, Terminal } from "./command.ts";
import { describeFailure } from "./failure.ts";
import { renderCommandHelp, renderGeneralHelp } from "./help.ts";

/** Runs one command line and returns its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function run(words: readonly string[], commands: readonly Command[], terminal: Terminal): Promise<number> {
  try {
    const parsed = parseCommandLine(words, commands);
    switch (parsed.want) {
      case "general help":
        terminal.print(renderGeneralHelp(commands));
        return 0;
      case "help":
        terminal.print(renderCommandHelp(parsed.command));
        return 0;
      case "version":
        terminal.print(readVersion());
        return 0;
      case "run":
        return (await parsed.command.run(parsed.given, terminal)) ?? 0;
    }
  } catch (error) {
    const { code, lines } = describeFailure(error, Boolean(terminal.env.DEBUG));
    for (const line of lines) terminal.say(line);
    return code;
  }
}

function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
