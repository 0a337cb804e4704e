import type { Command } from "./command.ts";

/** How people run a command: npm puts the pinned Node on the path, and -s keeps npm quiet. */
export const program = "npm run -s steward --";

const formatColumns = (width: number, rows: readonly (readonly [string, string])[]): string[] =>
  rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);

export function renderGeneralHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Steward, a service-management system.",
    "",
    `Usage: ${program} <command> [options]`,
    "",
    "Commands:",
    ...formatColumns(
      width,
      commands.map(({ name, summary }) => [name, summary]),
    ),
    "",
    "Environment variables read by every command:",
    ...formatColumns(12, [
      ["DATA_DIR", "data directory (default: ./data)"],
      ["DATABASE_URL", "use this PostgreSQL server (15 or later) instead of the embedded one"],
      ["ENVIRONMENT", "production, qa or demo (default: demo)"],
    ]),
    "",
    `Help for a command: ${program} <command> --help`,
    `Example: ${program} token create --help`,
  ].join("\n");
}

export function renderCommandHelp(command: Command): string {
  const { name, summary, details, operands, options, example } = command;
  const optionRows = Object.entries(options).map(([option, { value, required, help }]) => {
    const words = value === undefined ? `--${option}` : `--${option} ${value}`;
    return { words, help, usage: required ? words : `[${words}]` };
  });
  const usage = [
    program,
    name,
    ...operands.map((operand) => operand.name),
    ...optionRows.map((option) => option.usage),
  ];
  const rows: [string, string][] = [
    ...operands.map((operand): [string, string] => [operand.name, operand.help]),
    ...optionRows.map(({ words, help }): [string, string] => [words, help]),
    ["--help", "show this help"],
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    summary,
    ...(details === undefined ? [] : ["", details]),
    "",
    `Usage: ${usage.join(" ")}`,
    "",
    ...formatColumns(width, rows),
    "",
    `Example: ${example}`,
  ].join("\n");
}
