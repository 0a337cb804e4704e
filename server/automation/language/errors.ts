// What can be wrong with a program: where it is written, or when it runs.

/** A mistake in the text of a rule. `at` counts characters from its beginning. */
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

/** The mistake as a sentence that says where it is. */
export function formatSyntaxProblem(source: string, { message, at }: SyntaxProblem): string {
  const { line, column } = getTextPosition(source, at);
  return `Line ${line}: ${message} at column ${column}`;
}

export type FailureKind = "evaluation" | "validation" | "permission" | "limit";

/** A run that cannot go on: X17. */
export class Failure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
