import { formatFieldMessage } from "../../../records/languages/index.ts";
import { Forbidden, Invalid, OperatorError, TimedOut, Unavailable } from "../../base/errors.ts";
import { UsageError } from "./command.ts";
import { program } from "./help.ts";

export type Failure = { code: 1 | 2; lines: readonly string[] };

/** The message for the person at the command line: no stack, and what to do next. */
export function describeFailure(error: unknown, debug: boolean): Failure {
  const trace = debug && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
  if (error instanceof UsageError) {
    const helpArguments = error.command === null ? "--help" : `${error.command} --help`;
    return { code: 2, lines: [error.message, `For help, run: ${program} ${helpArguments}`] };
  }
  if (error instanceof OperatorError) return { code: 1, lines: [error.message, ...trace] };
  if (error instanceof Invalid) {
    const sentences = error.problems.map((problem) => `${formatFieldMessage("en-US", problem)}.`);
    return { code: 1, lines: [sentences.join(" "), ...trace] };
  }
  if (error instanceof Forbidden) return { code: 1, lines: ["Permission denied.", ...trace] };
  if (error instanceof Unavailable || error instanceof TimedOut)
    return { code: 1, lines: [`${describeReason(error.cause ?? error)} (${error.message})`, doctorHint, ...trace] };
  return { code: 1, lines: [`Unexpected error: ${describeReason(error)}`, doctorHint, ...trace] };
}

const doctorHint = `To find the cause, run ${program} doctor, or run the command again with DEBUG=1.`;

/** Node wraps several refused connections into one error without a message. */
export function describeReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeReason(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
