import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { formatFieldMessage } from "../../records/languages/index.ts";
import {
  BadRequest,
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  TimedOut,
  TooManyRequests,
  Unavailable,
} from "../base/errors.ts";

/** The part of an error that a client gets; null: it is unexpected, and only in the log. */
function describeKnown(error: unknown, language: string): { message: string; code: string } | null {
  if (error instanceof NotFound) return { message: "Not Found", code: "NOT_FOUND" };
  if (error instanceof Forbidden)
    return { message: error.message === "" ? "Forbidden" : `Forbidden: ${error.message}`, code: "FORBIDDEN" };
  if (error instanceof BadRequest) return { message: error.message || "Bad Request", code: "BAD_REQUEST" };
  if (error instanceof Conflict) return { message: error.message, code: "BAD_REQUEST" };
  if (error instanceof Invalid)
    return {
      message: error.problems.map((problem) => formatFieldMessage(language, problem)).join(", "),
      code: "BAD_REQUEST",
    };
  if (error instanceof TimedOut) return { message: "Query timed out", code: "TIMEOUT" };
  if (error instanceof TooManyRequests) return { message: "Too Many Requests", code: "BAD_REQUEST" };
  return null;
}

type ErrorContext = {
  language: string;
  requestId: string;
  isOverTime: boolean;
  /** logs something unexpected */
  report(error: unknown): void;
};

export function formatError(error: GraphQLError, context: ErrorContext): GraphQLFormattedError {
  const { originalError } = error;
  const head = {
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    ...(error.path === undefined ? {} : { path: error.path }),
  };
  if (originalError === undefined || "locations" in originalError)
    return { message: error.message, ...head, extensions: { code: "BAD_REQUEST", ...error.extensions } };
  const known =
    context.isOverTime && originalError instanceof Unavailable
      ? { message: "Query timed out", code: "TIMEOUT" }
      : describeKnown(originalError, context.language);
  if (known !== null) return { message: known.message, ...head, extensions: { code: known.code } };
  context.report(originalError);
  return {
    message: "Internal Server Error",
    ...head,
    extensions: { code: "INTERNAL", requestId: context.requestId },
  };
}
