import type { AnswerOf, AnswerTo } from "../../records/answers/answer-of.ts";
import type { declaredOperations } from "../../records/answers/index.ts";
import { buildPath, type Query, readJson } from "./call.ts";
import { gather } from "./readings.ts";
import { callRest } from "./rest.ts";

// Calls of declared operations. The declarations are imported as types only, so they add nothing to the bundle.

type Declared = typeof declaredOperations;
export type DeclaredKey = keyof Declared;

export type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Parameter = string | number | boolean | undefined;
type QueryOf<O> = (O extends { query: infer M } ? { [N in keyof M]?: Parameter } : unknown) &
  (O extends { isPaged: true }
    ? { [N in "per_page" | "page" | "search_after" | "search_before"]?: Parameter }
    : unknown);
/** The path and query parameters, by name. */
type ParametersOf<K extends DeclaredKey> = Readonly<Record<ParameterName<K>, string | number>> & QueryOf<Declared[K]>;
export type BodyArgument<O> = O extends { bodyTypes: readonly ["multipart/form-data"] }
  ? [body: FormData]
  : O extends { body: infer S }
    ? S extends { isOptional: true }
      ? [body?: AnswerOf<S>]
      : [body: AnswerOf<S>]
    : [];

/** The type of the operation's body. */
export type BodyOf<K extends DeclaredKey> = Declared[K] extends { body: infer S } ? AnswerOf<S> : undefined;

export type CallOf<K extends DeclaredKey> = [key: K, parameters: ParametersOf<K>, ...BodyArgument<Declared[K]>];

/** `callOperation(account, "GET /agile_boards/:id/items", { id: 7 })` */
export function callOperation<K extends DeclaredKey>(
  account: string,
  ...[key, parameters, body]: CallOf<K>
): Promise<AnswerTo<Declared[K]>> {
  const [method, path] = fillPath(key, parameters);
  return readJson(method === "GET" ? gather(account, path) : callRest(account, { method, path, body }));
}

/** Method and path; the remaining parameters go into the query. */
export function fillPath(key: string, parameters: Readonly<Record<string, unknown>>): [method: string, path: string] {
  const [method = "", template = ""] = key.split(" ");
  const query = { ...parameters };
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = query[name];
    query[name] = undefined;
    return encodeURIComponent(String(value));
  });
  // Parameters that aren't in the path are query parameters, as CallOf declares them.
  return [method, buildPath(path, query as Query)];
}
