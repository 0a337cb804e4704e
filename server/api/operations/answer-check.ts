import type { Field, Members, Operation, RecordPart, Shape } from "../../../records/vocabulary/index.ts";
import type { JsonSchema } from "../../engine/kinds/description.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { ApiResponse, Route } from "../http/route.ts";

// Compares answers with their declarations. Tests and development only: the types hold for what the compiler sees, this
// check for what statements of the database return.

/** The same routes, whose answers are compared with their declarations. */
export const checkAnswers = (routes: readonly Route[]): Route[] =>
  routes.map((route) => {
    const { operation, method, path } = route;
    if (operation === undefined) return route;
    return {
      ...route,
      async handle(call) {
        const response = await route.handle(call);
        const isSelected = call.query.some(({ name }) => name === "fields");
        const mismatch = response.content === undefined ? findAnswerMismatch(operation, response, isSelected) : null;
        if (mismatch !== null) throw new Error(`${method} ${path} does not answer as declared: ${mismatch}`);
        return response;
      },
    };
  });

function findAnswerMismatch(operation: Operation, response: ApiResponse, isSelected: boolean) {
  const { json } = response;
  const expected = operation.answer === null ? 204 : (operation.status ?? 200);
  const other = operation.otherAnswers?.[response.status];
  if (response.status !== expected && other === undefined) return `status ${response.status} instead of ${expected}`;
  const { answer } = response.status === expected ? operation : (other ?? operation);
  return answer?.kind === "file" ? null : findBodyMismatch(answer, json, isSelected);
}

/** `answer` null: there must be no body. */
export function findBodyMismatch(answer: Shape | null, json: string | undefined, isSelected = false): string | null {
  if (answer === null) return json === undefined ? null : "it has a body";
  return findMismatch(answer, json === undefined ? undefined : JSON.parse(json), "", isSelected);
}

/** The place where a value differs from its shape, in words; null: it matches. */
export function findMismatch(shape: Shape, value: unknown, at = "", isSelected = false): string | null {
  const wrong = (what: string) => `${at === "" ? "the answer" : at} ${what}`;
  if (value === undefined) return wrong("is missing");
  if (value === null) return shape.isNullable || shape.kind === "anything" ? null : wrong("is null");
  switch (shape.kind) {
    case "anything":
    case "file":
      return null;
    case "record":
      if (shape.part === undefined) return null;
      return isObject(value) ? findPartMismatch(shape.part, value, at) : wrong("is not an object");
    case "reference":
      return isObject(value) && value.id !== undefined ? null : wrong("is not a reference");
    case "typeName":
      return typeof value === "string" ? null : wrong("is not a string");
    case "object":
      return isObject(value) ? findMemberMismatch(shape, value, at, isSelected) : wrong("is not an object");
    case "map":
      return isObject(value)
        ? findFirst(Object.entries(value), ([name, each]) => findMismatch(shape.of, each, join(at, name)))
        : wrong("is not an object");
    case "list":
      return Array.isArray(value)
        ? findFirst([...value.entries()], ([index, each]) => findMismatch(shape.of, each, join(at, index), isSelected))
        : wrong("is not a list");
    case "tuple":
      return Array.isArray(value) && value.length <= shape.of.length
        ? findFirst([...shape.of.entries()], ([index, each]) =>
            each.isOptional && index >= value.length ? null : findMismatch(each, value[index], join(at, index)),
          )
        : wrong(`is not a list of ${shape.of.length}`);
    case "either": {
      const mismatches = shape.of.map((each) => findMismatch(each, value, at));
      return mismatches.includes(null) ? null : (mismatches[0] ?? null);
    }
    default:
      return matchesSchema(getKind({ ...shape, access: "readonly" } as Field).schema(shape as Field), value)
        ? null
        : wrong(`is not a value of kind ${shape.kind}: ${JSON.stringify(value)}`);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const join = (at: string, part: string | number): string => (at === "" ? String(part) : `${at}.${part}`);

function findFirst<T>(entries: readonly T[], find: (entry: T) => string | null): string | null {
  for (const entry of entries) {
    const mismatch = find(entry);
    if (mismatch !== null) return mismatch;
  }
  return null;
}

function findMemberMismatch(
  { members, others }: { members: Members; others?: Shape },
  value: Readonly<Record<string, unknown>>,
  at: string,
  isSelected: boolean,
): string | null {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined) {
    if (others === undefined) return `${join(at, unknown)} is not declared`;
    const mismatch = findFirst(Object.entries(value), ([name, each]) =>
      Object.hasOwn(members, name) ? null : findMismatch(others, each, join(at, name)),
    );
    if (mismatch !== null) return mismatch;
  }
  return findFirst(Object.entries(members), ([name, shape]) =>
    value[name] === undefined && (isSelected || shape.isOptional)
      ? null
      : findMismatch(shape, value[name], join(at, name)),
  );
}

/** The members that the engine always returns, regardless of the selected fields. */
const headMembers = ["id", "nodeID", "account", "disabled"];

/** The engine writes the fields of a record; here it matters which ones there are. */
function findPartMismatch(
  { fields, members }: RecordPart,
  value: Readonly<Record<string, unknown>>,
  at: string,
): string | null {
  const isField = (name: string) => !Object.hasOwn(members, name) && [...headMembers, ...fields].includes(name);
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !isField(name)));
  return value.id === undefined ? `${join(at, "id")} is missing` : findMemberMismatch({ members }, rest, at, false);
}

/** The parts of JSON Schema that kinds of fields use. */
function matchesSchema(schema: JsonSchema, value: unknown): boolean {
  const { type, enum: values, items, minimum, maximum } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOfType(each, value))) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (typeof value === "number" && ((minimum as number) > value || (maximum as number) < value)) return false;
  return (
    !Array.isArray(value) || items === undefined || value.every((each) => matchesSchema(items as JsonSchema, each))
  );
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}
