import type { Members, Operation, OtherAnswer, Shape } from "../../../records/vocabulary/index.ts";
import type { ApiOperation } from "./api-operation.ts";
import type { OpenApiContext, Schema } from "./components.ts";
import {
  buildEntryFieldsParameter,
  buildFieldsParameter,
  buildFilters,
  buildPagingParameters,
} from "./list-parameters.ts";
import {
  buildCreatedResponse,
  buildHeaderRefs,
  buildJsonResponse,
  buildNoContentResponse,
  buildRecordResponse,
  buildSavedResponse,
  commonHeaders,
  pagingHeaders,
  throttledHeader,
} from "./responses.ts";
import { buildShapeSchema } from "./shape-schemas.ts";

/** The description of an operation that records/answers declares. */
export function describeOperation(context: OpenApiContext, method: string, operation: Operation): ApiOperation {
  const { id, summary, description, tag } = operation;
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(tag === undefined ? {} : { tag }),
    parameters: [
      ...buildQueryParameters(context, operation.query ?? {}),
      ...(operation.filtersOf === undefined ? [] : buildFilters(context, context.types.get(operation.filtersOf))),
      ...(operation.hasFields ? [buildSelectionParameter(context, operation.answer)] : []),
      ...(operation.isPaged ? buildPagingParameters(context) : []),
    ],
    ...buildBody(context, operation),
    responses: buildResponses(context, method, operation),
  };
}

function buildBody(context: OpenApiContext, operation: Operation): { requestBody?: Schema } {
  const { body, bodyExample, bodyTypes = ["application/json"] } = operation;
  if (body === undefined) return {};
  const { note, ...shape } = body;
  const schema = buildShapeSchema(context, shape);
  const content = bodyTypes.map((type) => [
    type,
    type === "application/json" && bodyExample !== undefined ? { schema, example: bodyExample } : { schema },
  ]);
  return {
    requestBody: {
      ...(note === undefined ? {} : { description: note }),
      ...(body.isOptional ? {} : { required: true }),
      content: Object.fromEntries(content),
    },
  };
}

function buildSelectionParameter(context: OpenApiContext, shape: Shape | null): Schema {
  const entry = shape?.kind === "list" ? shape.of : shape;
  return entry?.kind === "record"
    ? buildFieldsParameter(context, context.types.get(entry.type))
    : buildEntryFieldsParameter({ properties: listMembers(shape) });
}

const buildQueryParameters = (context: OpenApiContext, query: Members): Schema[] =>
  Object.entries(query).map(([name, shape]) => {
    const { description, ...schema } = buildShapeSchema(context, shape);
    return {
      ...{ name, in: "query" },
      ...(shape.isOptional ? {} : { required: true }),
      ...(description === undefined ? {} : { description }),
      ...(shape.kind === "list" ? { style: "form", explode: false } : {}),
      schema,
    };
  });

/** The members that `?fields=` can name: those of the answer, or of the entries of a list. */
export function listMembers(shape: Shape | null): Members {
  if (shape?.kind === "list") return listMembers(shape.of);
  return shape?.kind === "object" ? shape.members : {};
}

function buildResponses(context: OpenApiContext, method: string, operation: Operation): Record<string, Schema> {
  const { answer, status = 200, isPaged, isThrottled, otherAnswers = {} } = operation;
  if (operation.isRefused) return {};
  const headers = [
    ...(method === "GET" ? ["ETag"] : []),
    ...(isPaged ? pagingHeaders : []),
    ...(isThrottled ? [throttledHeader] : []),
  ];
  const answers: Record<number, OtherAnswer> = { [answer === null ? 204 : status]: operation, ...otherAnswers };
  return Object.fromEntries(
    Object.entries(answers).map(([code, each]) => [
      code,
      isSharedRecord(each)
        ? pickRecordResponse(method, Number(code))(context, context.types.get(each.answer.type))
        : buildResponse(context, each, headers),
    ]),
  );
}

/** A record that nothing is said about has the response that all records of its type have. */
const isSharedRecord = (given: OtherAnswer): given is { answer: Extract<Shape, { kind: "record" }> } =>
  given.answer?.kind === "record" && given.answer.part === undefined && given.answers === undefined;

function pickRecordResponse(method: string, status: number) {
  if (method === "GET") return buildRecordResponse;
  return status === 201 ? buildCreatedResponse : buildSavedResponse;
}

function buildResponse(context: OpenApiContext, given: OtherAnswer, headers: readonly string[]): Schema {
  const { answer, answers, example } = given;
  if (answer === null) return answers === undefined ? buildNoContentResponse(context) : { description: answers };
  const schema = buildShapeSchema(context, answer);
  const description = answers ?? "The response.";
  if (answer.kind !== "file") return buildJsonResponse(context, description, schema, example, headers);
  return {
    description,
    headers: buildHeaderRefs(context, [...commonHeaders, ...headers]),
    content: { [answer.mediaType]: { schema } },
  };
}
