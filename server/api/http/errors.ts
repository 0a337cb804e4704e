import { formatFieldMessage } from "../../../records/languages/index.ts";
import {
  BadRequest,
  Conflict,
  Forbidden,
  Invalid,
  NotAcceptable,
  NotFound,
  PreconditionFailed,
  ProofNeeded,
  TimedOut,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnsupportedType,
} from "../../base/errors.ts";
import { FileTooLarge, MalformedUpload, StorageAway } from "../../files/index.ts";

/** `json`: a body that is text already, because parsing its numbers would lose digits */
type ErrorResponse = {
  status: number;
  body: Record<string, unknown>;
  json?: string;
  headers?: Record<string, string>;
  retryAfter?: number;
};

/** Maps all expected errors to status and body. Null: an unexpected failure, answered with 500. */
export function toErrorResponse(error: unknown, language: string, documentation: string): ErrorResponse | null {
  if (error instanceof BadRequest) return { status: 400, body: { message: error.message || "Bad Request" } };
  if (error instanceof Unauthorized) return { status: 401, body: { message: "Unauthorized" } };
  if (error instanceof ProofNeeded)
    return {
      status: 403,
      body: {
        message: `Forbidden: ${error.message}`,
        proof_methods: error.methods,
        ...(error.providers.length === 0 ? {} : { proof_providers: error.providers }),
      },
    };
  if (error instanceof Forbidden)
    return { status: 403, body: { message: error.message === "" ? "Forbidden" : `Forbidden: ${error.message}` } };
  if (error instanceof NotFound) return { status: 404, body: { message: "Not Found" } };
  if (error instanceof NotAcceptable) return { status: 406, body: { message: "Not Acceptable" } };
  if (error instanceof Conflict)
    return {
      status: 409,
      body: { message: error.message },
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    };
  if (error instanceof PreconditionFailed)
    return {
      status: 412,
      body: {},
      json: `{"message":${JSON.stringify(`Precondition Failed: ${error.message}`)},"record":${error.record}}`,
      headers: { "X-Revision": String(error.revision) },
    };
  // An upload is read by its route; if it breaks off, the request is at fault.
  if (error instanceof MalformedUpload) return { status: 400, body: { message: error.message } };
  if (error instanceof TooLarge || error instanceof FileTooLarge)
    return { status: 413, body: { message: "Request Entity Too Large" } };
  if (error instanceof UnsupportedType)
    return { status: 415, body: { message: error.message || "Unsupported Media Type" } };
  if (error instanceof Invalid) {
    // Messages are sentences that begin with the field's label, in the language of the caller.
    const errors = error.problems.map((problem) => [problem[0], formatFieldMessage(language, problem)]);
    return { status: 422, body: { message: "Validation Failed", errors } };
  }
  if (error instanceof TooManyRequests)
    return {
      status: 429,
      body: { message: "Too Many Requests", documentation_url: documentation },
      retryAfter: error.retryAfter,
    };
  if (error instanceof StorageAway)
    return {
      status: 503,
      body: { message: "Service Unavailable: the file storage does not answer" },
      retryAfter: 5,
    };
  if (error instanceof Unavailable) return { status: 503, body: { message: "Service Unavailable" }, retryAfter: 5 };
  if (error instanceof TimedOut) return { status: 504, body: { message: "Gateway timeout" }, retryAfter: 5 };
  return null;
}

/** Errors that Fastify raises before a handler runs. */
export function toFrameworkErrorResponse(error: { statusCode?: number; code?: string }): ErrorResponse | null {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return { status: 413, body: { message: "Request Entity Too Large" } };
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return { status: 415, body: { message: "Unsupported Media Type" } };
  if (error.code === "FST_ERR_BAD_URL")
    return { status: 400, body: { message: "The path is not valid percent-encoded UTF-8" } };
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return { status: error.statusCode === 414 ? 414 : 400, body: { message: "Bad Request" } };
  return null;
}
