import type { Type } from "../../../engine/types.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import {
  buildCreateOperation,
  buildDeleteOperation,
  buildListOperation,
  buildUpdateOperation,
  listViews,
} from "../../openapi/crud-operations.ts";
import { describeDryRun } from "../../openapi/dry-run.ts";
import { buildFieldsParameter } from "../../openapi/list-parameters.ts";
import { capitalize, getSchemaName, toPascalCase, toWords, withArticle } from "../../openapi/names.ts";
import { buildRecordResponse, buildSavedResponse } from "../../openapi/responses.ts";
import { childOperations, linkOperations, readOnlyListOperations } from "./describe-nested-routes.ts";

// Describes the routes of record-routes.ts for the OpenAPI document.

export function recordOperations(context: OpenApiContext, type: Type): ApiOperations {
  const collection = `/${type.collection}`;
  const path = `${collection}/:id`;
  const [recordWords, name] = [withArticle(type.name), getSchemaName(type)];
  const operations: ApiOperations = listViews(type).map(({ view, suffix, words }) => [
    `GET ${collection}${suffix}`,
    () =>
      buildListOperation(context, type, {
        operationId: `list${toPascalCase(type.collection)}${toPascalCase(view)}`,
        summary: `List ${toWords(type.collection)}${words}`,
      }),
  ]);
  operations.push([
    `GET ${path}`,
    () => ({
      operationId: `get${name}`,
      summary: `Retrieve ${recordWords}`,
      parameters: [buildFieldsParameter(context, type)],
      responses: { 200: buildRecordResponse(context, type) },
    }),
  ]);
  operations.push([
    `POST ${collection}`,
    () =>
      describeDryRun(
        context,
        type,
        buildCreateOperation(context, type, type.routes.createStatus, {
          operationId: `create${name}`,
          summary: `Create ${recordWords}`,
        }),
      ),
  ]);
  for (const { parent: parentName, path: nestedPath } of type.createdUnder) {
    const parent = context.types.get(parentName);
    operations.push([
      `POST /${parent.collection}/:id/${nestedPath}`,
      () =>
        buildCreateOperation(context, type, type.routes.createStatus, {
          operationId: `create${name}Under${toPascalCase(nestedPath)}Of${getSchemaName(parent)}`,
          summary: `Create ${recordWords} of ${withArticle(parent.name)}`,
        }),
    ]);
  }
  for (const method of ["PATCH", "PUT"])
    operations.push([`${method} ${path}`, () => buildUpdateOperation(context, type, method, recordWords, name)]);
  operations.push([
    `DELETE ${path}`,
    () => buildDeleteOperation(context, type, { operationId: `delete${name}`, summary: `Delete ${recordWords}` }),
  ]);
  return [
    ...operations,
    ...archiveOperations(context, type),
    [`GET ${path}/audit`, () => buildAuditOperation(context, type)],
    ...linkOperations(context, type),
    ...childOperations(context, type),
    ...readOnlyListOperations(context, type),
  ];
}

const archiveActions: Record<string, string> = {
  archive: "Removes the record from all lists but keeps it.",
  trash: "Removes the record from all lists; it's permanently deleted after 28 days.",
  restore: "Restores an archived or trashed record.",
};

const archiveOperations = (context: OpenApiContext, type: Type): ApiOperations =>
  Object.entries(archiveActions).map(([action, effect]) => [
    `POST /${type.collection}/:id/${action}`,
    () => ({
      operationId: `${action}${getSchemaName(type)}`,
      summary: `${capitalize(action)} ${withArticle(type.name)}`,
      description: `${effect} Available to administrators of the record's account. Takes no body.`,
      responses: { 200: buildSavedResponse(context, type) },
    }),
  ]);

const buildAuditOperation = (context: OpenApiContext, type: Type) => ({
  ...buildListOperation(context, context.types.get("audit_line"), {
    operationId: `listAuditOf${getSchemaName(type)}`,
    summary: `Retrieve the audit trail of ${withArticle(type.name)}`,
  }),
  description:
    "Returns entries with their changes, newest first. Available to everyone with a role in the account who can see the record.",
});
