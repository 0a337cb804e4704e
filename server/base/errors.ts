// Errors for callers. server/api/http/errors.ts maps each to its status and body.

export type Problem = [field: string, text: string, values?: Record<string, string | number>];

/** 400: a parameter or the syntax of the request. */
export class BadRequest extends Error {}
/** 400: the requested data exceeds the response limit. */
export class ResponseTooLarge extends BadRequest {}
/** 401 */
export class Unauthorized extends Error {}
/** 403 */
export class Forbidden extends Error {}
export type ProofMethod = "password" | "code" | "passkey" | "provider";
/** An identity provider that can authenticate the person again, with the page that leads there. */
export type ProofProvider = { name: string; address: string };
/** 403: the person must first prove again who they are, in one of these ways; none: by signing in again. */
export class ProofNeeded extends Forbidden {
  readonly methods: readonly ProofMethod[];
  readonly providers: readonly ProofProvider[];
  constructor(methods: readonly ProofMethod[], providers: readonly ProofProvider[] = []) {
    super("confirm your identity again");
    this.methods = methods;
    this.providers = providers;
  }
}
/** 404 */
export class NotFound extends Error {}
/** 406 */
export class NotAcceptable extends Error {}
/** 409: the call contradicts another one. With `retryAfter` it may succeed after as many seconds. */
export class Conflict extends Error {
  readonly retryAfter: number | undefined;
  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}
/** 412: the record was changed since the revision that the caller named; with the current record as JSON. */
export class PreconditionFailed extends Error {
  readonly record: string;
  readonly revision: number;
  constructor(record: string, revision: number) {
    super("The record was changed after the revision you sent");
    this.record = record;
    this.revision = revision;
  }
}
/** 413 */
export class TooLarge extends Error {}
/** 415 */
export class UnsupportedType extends Error {}

/** 422: the values of a body that could be read. */
export class Invalid extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super("Validation Failed");
    this.problems = problems;
  }
}

/** 429 */
export class TooManyRequests extends Error {
  readonly retryAfter: number;
  constructor(retryAfter: number) {
    super("Too Many Requests");
    this.retryAfter = retryAfter;
  }
}

/** 503: the database is unavailable or overloaded; the same call may work later. */
export class Unavailable extends Error {}
/** 503: more is waiting than the server does in time. Expected under load, so it is not logged. */
export class Overloaded extends Unavailable {}
/** The client closed the connection before the response, so no one reads it. */
export class ClientGone extends Overloaded {}
/** 504: the database did not answer in time. */
export class TimedOut extends Error {}

/** An error for the person at the command line: shown without a stack. */
export class OperatorError extends Error {}
