import type { AnswerTo } from "../../records/answers/answer-of.ts";
import type { sessionOperations } from "../../records/answers/session.ts";
import { readJson } from "./call.ts";
import { type BodyArgument, fillPath, type ParameterName } from "./operations.ts";
import { callSessionApi } from "./session.ts";

// Calls of the private routes below /session-api, with the types of their declarations.

type Declared = typeof sessionOperations;

/** `callSession("DELETE /sessions/:id", { id })` */
export function callSession<K extends keyof Declared>(
  key: K,
  parameters: Readonly<Record<ParameterName<K>, string | number>>,
  ...[body]: BodyArgument<Declared[K]>
): Promise<AnswerTo<Declared[K]>> {
  const [method, path] = fillPath(key, parameters);
  return readJson(callSessionApi(method, path, body));
}

/** The type of the route's body. */
export type SessionBodyOf<K extends keyof Declared> = BodyArgument<Declared[K]>[0];
