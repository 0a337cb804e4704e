import { singular, type Type } from "../../../engine/types.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import {
  buildCreateOperation,
  buildDeleteOperation,
  buildListOperation,
  buildUpdateOperation,
  listViews,
} from "../../openapi/crud-operations.ts";
import { buildFieldsParameter } from "../../openapi/list-parameters.ts";
import { getSchemaName, toPascalCase, toWords, withArticle } from "../../openapi/names.ts";
import { buildLinkedResponse, buildNoContentResponse, buildRecordResponse } from "../../openapi/responses.ts";

// Describes the routes of nested-routes.ts for the OpenAPI document.

function listOperations(context: OpenApiContext, type: Type, name: string, target: Type): ApiOperations {
  return listViews(target).map(({ view, suffix, words }) => [
    `GET /${type.collection}/:id/${name}${suffix}`,
    () =>
      buildListOperation(context, target, {
        operationId: `list${toPascalCase(name)}${toPascalCase(view)}Of${getSchemaName(type)}`,
        summary: `List the ${toWords(name)} of ${withArticle(type.name)}${words}`,
      }),
  ]);
}

export const readOnlyListOperations = (context: OpenApiContext, type: Type): ApiOperations =>
  Object.entries(type.lists).flatMap(([name, list]) => {
    const target = context.types.get(list.of);
    const middle = "through" in list ? list.through : undefined;
    return [
      ...listOperations(context, type, name, target),
      ...(middle === undefined ? [] : joinedListOperations(context, type, name, target, context.types.get(middle))),
    ];
  });

function joinedListOperations(
  context: OpenApiContext,
  type: Type,
  name: string,
  target: Type,
  middle: Type,
): ApiOperations {
  const path = `/${type.collection}/:id/${name}`;
  const [targetWords, parent] = [withArticle(target.name), getSchemaName(type)];
  return [
    [
      `POST ${path}`,
      () => ({
        ...buildCreateOperation(context, middle, 200, {
          operationId: `add${getSchemaName(target)}To${parent}`,
          summary: `Add ${targetWords} to ${withArticle(type.name)}`,
        }),
        description: `A shortcut for creating ${withArticle(middle.name)}. The members can also be sent in the query string.`,
        responses: { 200: buildLinkedResponse(context) },
      }),
    ],
    [
      `DELETE ${path}/:other`,
      () => ({
        operationId: `take${getSchemaName(target)}From${parent}`,
        summary: `Remove ${targetWords} from ${withArticle(type.name)}`,
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      `DELETE ${path}`,
      () => ({
        operationId: `takeAll${toPascalCase(name)}From${parent}`,
        summary: `Remove all ${toWords(name)} from ${withArticle(type.name)}`,
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
  ];
}

export function linkOperations(context: OpenApiContext, type: Type): ApiOperations {
  return Object.entries(type.links).flatMap(([name, { to, createByName }]): ApiOperations => {
    const target = context.types.get(to);
    const path = `/${type.collection}/:id/${name}`;
    const [single, parent] = [singular(name), getSchemaName(type)];
    return [
      ...listOperations(context, type, name, target),
      ...(createByName
        ? [
            [
              `POST ${path}`,
              () =>
                buildCreateOperation(context, target, 200, {
                  operationId: `name${toPascalCase(single)}Of${parent}`,
                  summary: `Link ${withArticle(single)} by name to ${withArticle(type.name)}`,
                }),
            ] as ApiOperations[number],
          ]
        : []),
      [
        `POST ${path}/:other`,
        () => ({
          operationId: `link${toPascalCase(single)}To${parent}`,
          summary: `Link ${withArticle(single)} to ${withArticle(type.name)}`,
          description: "Has no effect if the records are already linked. Takes no body.",
          responses: { 200: buildLinkedResponse(context) },
        }),
      ],
      [
        `DELETE ${path}/:other`,
        () => ({
          operationId: `unlink${toPascalCase(single)}From${parent}`,
          summary: `Unlink ${withArticle(single)} from ${withArticle(type.name)}`,
          responses: { 204: buildNoContentResponse(context) },
        }),
      ],
      [
        `DELETE ${path}`,
        () => ({
          operationId: `unlinkAll${toPascalCase(name)}From${parent}`,
          summary: `Unlink all ${toWords(name)} from ${withArticle(type.name)}`,
          responses: { 204: buildNoContentResponse(context) },
        }),
      ],
    ];
  });
}

export function childOperations(context: OpenApiContext, type: Type): ApiOperations {
  return Object.entries(type.children).flatMap(([name, { of }]): ApiOperations => {
    const child = context.types.get(of);
    const path = `/${type.collection}/:id/${name}`;
    const childWords = `${withArticle(singular(name))} of ${withArticle(type.name)}`;
    const idSuffix = `${toPascalCase(singular(name))}Of${getSchemaName(type)}`;
    return [
      ...listOperations(context, type, name, child),
      [
        `GET ${path}/:child`,
        () => ({
          operationId: `get${idSuffix}`,
          summary: `Retrieve ${childWords}`,
          parameters: [buildFieldsParameter(context, child)],
          responses: { 200: buildRecordResponse(context, child) },
        }),
      ],
      [
        `POST ${path}`,
        () =>
          buildCreateOperation(context, child, child.routes.createStatus, {
            operationId: `create${idSuffix}`,
            summary: `Create ${childWords}`,
          }),
      ],
      ...["PATCH", "PUT"].map((method): ApiOperations[number] => [
        `${method} ${path}/:child`,
        () => buildUpdateOperation(context, child, method, childWords, idSuffix),
      ]),
      [
        `DELETE ${path}/:child`,
        () =>
          buildDeleteOperation(context, child, { operationId: `delete${idSuffix}`, summary: `Delete ${childWords}` }),
      ],
      [
        `DELETE ${path}`,
        () => ({
          operationId: `deleteAll${toPascalCase(name)}Of${getSchemaName(type)}`,
          summary: `Delete all ${toWords(name)} of ${withArticle(type.name)}`,
          responses: { 204: buildNoContentResponse(context) },
        }),
      ],
    ];
  });
}
