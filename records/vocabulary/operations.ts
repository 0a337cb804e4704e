import type { Members, Shape } from "./shapes.ts";

// Operations: the calls of the API beyond the standard ones of record types. The route on the server, the call in the web
// interface and the API reference derive from one declaration.

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
/** "GET /agile_boards/:id/items", below /v1 */
export type OperationKey = `${Method} ${string}`;

export type Operation = {
  /** its name in generated clients */
  id: string;
  summary: string;
  description?: string;
  /** its group in the API reference; absent: the one of the first part of its path */
  tag?: string;
  query?: Members;
  /** the filters of the lists of that record type */
  filtersOf?: string;
  /** the paging parameters and headers of lists */
  isPaged?: true;
  /** `?fields=` selects members of the answer, or of the entries of a list */
  hasFields?: true;
  /** an optional shape: calls without a body are fine, too */
  body?: Shape;
  bodyExample?: unknown;
  /** JSON alone by default */
  bodyTypes?: readonly BodyType[];
  /** 200 by default; 204 without an answer */
  status?: 200 | 201 | 202;
  /** null: none */
  answer: Shape | null;
  /** every call is refused */
  isRefused?: true;
  /** what the answer is, in a sentence; records have one */
  answers?: string;
  example?: unknown;
  /** the maximum number of matches that are read */
  isThrottled?: true;
  /** the answers that it gives in other cases, by status */
  otherAnswers?: Readonly<Record<number, OtherAnswer>>;
};
export type BodyType = "application/json" | "multipart/form-data";
/** null: none */
export type OtherAnswer = { answer: Shape | null; answers?: string; example?: unknown };
export type Operations = Readonly<Record<OperationKey, Operation>>;

export const operations = <const T extends Operations>(declared: T): T => declared;

/** A private route below /session-api: no part of the API, so it needs no words for the API reference. */
export type SessionOperation = Pick<Operation, "body" | "status" | "answer">;
export type SessionOperations = Readonly<Record<OperationKey, SessionOperation>>;
