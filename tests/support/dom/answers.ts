import type { AnswerTo } from "../../../records/answers/answer-of.ts";
import { declaredOperations } from "../../../records/answers/index.ts";
import type { TypeName } from "../../../records/index.ts";
import type { Method, Operation } from "../../../records/vocabulary/index.ts";
import type { Application, ClientPair } from "../../../web/api/administration.ts";
import type { profileApi } from "../../../web/api/profile.ts";
import type { WhoAmI } from "../../../web/api/session.ts";
import type { RecordNamed } from "./record.ts";

// Responses of the server in component tests. Their types come from the declarations, so changing a declaration breaks the
// fixtures at compile time.

/** A call of the page, with the body as the server would parse it. */
export type PageCall = {
  method: string;
  /** below /v1, or starting with /session-api */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  headers: Readonly<Record<string, string>>;
};

/** A response with a status other than 200. */
export class Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    [this.status, this.body, this.headers] = [status, body, headers];
  }
}
/** `problems`: field and message */
export const refuse = (status: number, message = "", problems: readonly (readonly [string, string])[] = []): Refusal =>
  new Refusal(status, { message, ...(problems.length === 0 ? {} : { errors: problems }) });

/** A list with more entries than the page loads in one call. */
export class ListPart<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** the parameter for the next part */
  readonly next: string | undefined;
  constructor(rows: readonly Row[], total: number, next?: string) {
    [this.rows, this.total, this.next] = [rows, total, next];
  }
}

type Value<T> = T | Refusal | (T extends readonly (infer Row)[] ? ListPart<Row> : never);
/** A value, or a function that computes it from the call. */
export type Answer<T> = Value<T> | ((call: PageCall) => Value<T> | Promise<Value<T>>);

type Declared = typeof declaredOperations;
type DeclaredKey = keyof Declared;
type DeclaredAnswers = { readonly [K in DeclaredKey]?: Answer<AnswerTo<Declared[K]>> };

type Profile = typeof profileApi;
type Loaded<F extends (...given: never) => unknown> = Awaited<ReturnType<F>>;
/** Calls that need only a session have no declaration; they use the page's types. */
type SessionAnswers = {
  readonly "GET /session-api/me"?: Answer<WhoAmI>;
  readonly "GET /session-api/sessions"?: Answer<Loaded<Profile["sessions"]>>;
  readonly "GET /session-api/personal-access-tokens"?: Answer<Loaded<Profile["tokens"]>>;
  readonly "POST /session-api/personal-access-tokens"?: Answer<Loaded<Profile["createToken"]>>;
  readonly "GET /session-api/token-rules"?: Answer<Loaded<Profile["tokenRules"]>>;
  readonly "GET /session-api/authorizations"?: Answer<Loaded<Profile["authorizations"]>>;
  readonly "GET /session-api/second-factor"?: Answer<Loaded<Profile["secondFactor"]>>;
  readonly "POST /session-api/second-factor/setup"?: Answer<Loaded<Profile["startSecondFactor"]>>;
  readonly "POST /session-api/second-factor"?: Answer<Loaded<Profile["finishSecondFactor"]>>;
  readonly "POST /session-api/second-factor/recovery-codes"?: Answer<Loaded<Profile["renewRecoveryCodes"]>>;
  readonly "GET /session-api/passkeys"?: Answer<Loaded<Profile["passkeys"]>>;
  readonly "GET /session-api/accounts/:account/oauth-applications"?: Answer<readonly Application[]>;
  readonly "POST /session-api/accounts/:account/oauth-applications"?: Answer<Application>;
  readonly "GET /session-api/accounts/:account/oauth-applications/:id"?: Answer<Application>;
  readonly "PATCH /session-api/accounts/:account/oauth-applications/:id"?: Answer<Application>;
  readonly "POST /session-api/accounts/:account/oauth-applications/:id/clients"?: Answer<ClientPair>;
};

/** By method and path. Record paths without a declared operation accept any value: build it with `aRecord`. */
export type Answers = DeclaredAnswers & SessionAnswers & { readonly [key: `${Method} /${string}`]: unknown };

/** The records that the page can read. Lists and changes are derived from them. */
export type Records = { readonly [N in TypeName]?: readonly RecordNamed<N>[] };

/** For operations that are declared to return nothing. */
export const nothing = undefined;

/** The declaration's example, as a starting point for a response. */
export function getExample<K extends DeclaredKey>(key: K): AnswerTo<Declared[K]> {
  const { example } = declaredOperations[key] as Operation;
  if (example === undefined) throw new Error(`${key} has no example.`);
  return structuredClone(example) as AnswerTo<Declared[K]>; // an API test compares the examples with their shapes
}
