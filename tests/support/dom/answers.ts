import type { AnswerTo } from "../../../records/answers/answer-of.ts";
import { declaredOperations } from "../../../records/answers/index.ts";
import type { TypeName } from "../../../records/index.ts";
import type { Method, Operation } from "../../../records/vocabulary/index.ts";
import type { Application, ClientPair } from "../../../web/api/administration.ts";
import type { profileApi } from "../../../web/api/profile.ts";
import type { WhoAmI } from "../../../web/api/session.ts";
import type { RecordNamed } from "./record.ts";

// What the server responds with in component tests. The types come from the declarations, so that a change of a
// declaration breaks the fixtures at compile time.

/** A call of the page, with the body as the server would parse it. */
export type PageCall = {
  method: string;
  /** below /v1, or with /session-api */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  headers: Readonly<Record<string, string>>;
};

/** A response other than 200 with the value. */
export class Refusal {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    [this.status, this.body, this.headers] = [status, body, headers];
  }
}
/** `problems`: what is wrong with which field */
export const refuse = (status: number, message = "", problems: readonly (readonly [string, string])[] = []): Refusal =>
  new Refusal(status, { message, ...(problems.length === 0 ? {} : { errors: problems }) });

/** A list that has more entries than the page loads at once. */
export class ListPart<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** leads to the next part */
  readonly next: string | undefined;
  constructor(rows: readonly Row[], total: number, next?: string) {
    [this.rows, this.total, this.next] = [rows, total, next];
  }
}

type Value<T> = T | Refusal | (T extends readonly (infer Row)[] ? ListPart<Row> : never);
/** A value, or what computes it from the call. */
export type Answer<T> = Value<T> | ((call: PageCall) => Value<T> | Promise<Value<T>>);

type Declared = typeof declaredOperations;
type DeclaredKey = keyof Declared;
type DeclaredAnswers = { readonly [K in DeclaredKey]?: Answer<AnswerTo<Declared[K]>> };

type Profile = typeof profileApi;
type Loaded<F extends (...given: never) => unknown> = Awaited<ReturnType<F>>;
/** Calls with the session alone have no declaration; their types are those of the page. */
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

/** By method and path. Paths of records that no operation declares take any value: build it with `aRecord`. */
export type Answers = DeclaredAnswers & SessionAnswers & { readonly [key: `${Method} /${string}`]: unknown };

/** The records that the page can read; lists and changes follow from them. */
export type Records = { readonly [N in TypeName]?: readonly RecordNamed<N>[] };

/** For operations whose declaration says that they return nothing. */
export const nothing = undefined;

/** The example of a declaration, as a response to begin with. */
export function exampleOf<K extends DeclaredKey>(key: K): AnswerTo<Declared[K]> {
  const { example } = declaredOperations[key] as Operation;
  if (example === undefined) throw new Error(`${key} has no example.`);
  return structuredClone(example) as AnswerTo<Declared[K]>; // a test of the API compares examples with their shapes
}
