import type { Readable } from "node:stream";
import { type Configuration, readConfiguration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";

// A command is a table entry: what it is called, what it takes, what it does. Help and parsing read the same entry.

/** Wrong usage: exit code 2, and a hint where to read more. */
export class UsageError extends OperatorError {
  readonly command: string | null;
  constructor(message: string, command: string | null = null) {
    super(message);
    this.command = command;
  }
}

export type Option = {
  /** what stands for the value in the help; an option without one is a switch */
  value?: string;
  required?: true;
  help: string;
};
type Operand = { name: string; help: string };

/** What a command may talk to: results on standard output, all else on standard error. */
export type Terminal = {
  print(line: string): void;
  say(line: string): void;
  env: Record<string, string | undefined>;
  /** standard input, for commands that read it */
  readonly input: Readable & { isTTY?: boolean };
};

export type CommandInput = Readonly<Record<string, string | boolean | undefined>>;

export type Command = {
  name: string;
  summary: string;
  /** further sentences for the command's own help */
  details?: string;
  operands: readonly Operand[];
  options: Readonly<Record<string, Option>>;
  example: string;
  /** answers the exit code when it is not 0 */
  run(given: CommandInput, terminal: Terminal): Promise<number | undefined>;
};

type OptionValues<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name] extends { value: string }
    ? Options[Name] extends { required: true }
      ? string
      : string | undefined
    : boolean;
};

/** Lets the compiler know which options a command gets, and whether they can be missing. */
export function defineCommand<const Options extends Record<string, Option>, const Names extends string = never>(
  entry: Omit<Command, "operands" | "options" | "run"> & {
    operands?: readonly { name: Names; help: string }[];
    options?: Options;
    run(given: OptionValues<Options> & Record<Names, string>, terminal: Terminal): Promise<number | undefined>;
  },
): Command {
  return {
    ...entry,
    operands: entry.operands ?? [],
    options: entry.options ?? {},
    run: (given, terminal) => entry.run(given as never, terminal),
  };
}

export const loadConfiguration = (terminal: Terminal): Configuration => readConfiguration(terminal.env);
