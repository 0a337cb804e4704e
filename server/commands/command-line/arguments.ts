import { parseArgs } from "node:util";
import { type Command, type CommandInput, UsageError } from "./command.ts";

type ParsedCommandLine =
  | { want: "general help" }
  | { want: "version" }
  | { want: "help"; command: Command }
  | { want: "run"; command: Command; given: CommandInput };

const isHelpOption = (word: string) => word === "--help" || word === "-h";

/** Parses the words of a command line; throws UsageError. */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): ParsedCommandLine {
  const [first = "", ...rest] = words;
  if (first === "help" && rest.length > 0)
    return parseCommandLine([...rest.filter((word) => !isHelpOption(word)), "--help"], commands);
  if (first === "help" || isHelpOption(first)) return { want: "general help" };
  if (first === "--version") return { want: "version" };
  const command = findCommand(words, commands);
  const argumentWords = words.slice(command.name.split(" ").length);
  const end = argumentWords.indexOf("--");
  if (argumentWords.slice(0, end < 0 ? undefined : end).some(isHelpOption)) return { want: "help", command };
  return { want: "run", command, given: parseOptions(argumentWords, command) };
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command {
  const firstTwo = words.slice(0, 2).join(" ");
  const found = commands.find(({ name }) => name === firstTwo) ?? commands.find(({ name }) => name === words[0]);
  if (found !== undefined) return found;
  if (words[0] === undefined) throw new UsageError("No command given.");
  const family = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => `"${name}"`);
  if (family.length > 0) throw new UsageError(`"${words[0]}" needs a subcommand: ${family.join(" or ")}.`);
  throw new UsageError(`Unknown command "${words[0]}".`);
}

function parseOptions(words: readonly string[], command: Command): CommandInput {
  const refuse = (message: string) => new UsageError(message, command.name);
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: [...words], options, allowPositionals: true });
    } catch (error) {
      throw refuse(rephraseParseError((error as Error).message));
    }
  })();
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && values[name] === undefined) throw refuse(`Missing option: --${name} ${option.value}.`);
    if (option.value !== undefined && typeof values[name] === "string" && values[name].trim() === "")
      throw refuse(`--${name} needs a value.`);
  }
  const missing = command.operands[positionals.length];
  if (missing !== undefined) throw refuse(`Missing argument: ${missing.name}.`);
  const surplus = positionals[command.operands.length];
  if (surplus !== undefined) throw refuse(`Unexpected argument "${surplus}".`);
  const switches = Object.entries(command.options).filter(([, { value }]) => value === undefined);
  return {
    ...Object.fromEntries(switches.map(([name]) => [name, false])),
    ...(values as CommandInput),
    ...Object.fromEntries(command.operands.map(({ name }, index) => [name, positionals[index]])),
  };
}

function rephraseParseError(message: string): string {
  const option = /^Option '(?:-\w, )?(--[^\s']+).*(?:ambiguous|argument missing)/.exec(message)?.[1];
  if (option !== undefined) return `${option} needs a value.`;
  return message.replace(/\. To specify a positional.*$/s, ".");
}
