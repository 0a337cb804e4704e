// Errors in the text of a program, and errors at run time.

/** An error in the text of a rule. `at` is the index of the character. */
export class SyntaxProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export type TextPosition = { line: number; column: number };

/** Lines and columns count from 1. */
export function getTextPosition(source: string, at: number): TextPosition {
  const before = source.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n") };
}

/** The error message with its position. */
export function formatSyntaxProblem(source: string, { message, at }: SyntaxProblem): string {
  const { line, column } = getTextPosition(source, at);
  return `Line ${line}: ${message} at column ${column}`;
}

export type FailureKind = "evaluation" | "validation" | "permission" | "limit";

/** An error that ends a run: X17. */
export class Failure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
