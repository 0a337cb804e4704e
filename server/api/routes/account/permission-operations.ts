import { enumerations } from "../../../../records/enumerations/index.ts";
import type { ApiOperation, ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext, Ref, Schema } from "../../openapi/components.ts";
import { buildListOperation } from "../../openapi/crud-operations.ts";
import { buildEnumerationSchema } from "../../openapi/enumeration-schema.ts";
import { buildEntryFieldsParameter, buildPagingParameters } from "../../openapi/list-parameters.ts";
import { buildReferenceSchema } from "../../openapi/reference-schemas.ts";
import { buildJsonResponse, buildNoContentResponse, pagingHeaders } from "../../openapi/responses.ts";

// Describes the routes of permission-routes.ts for the OpenAPI document.

const example = { account: { id: "widget-it", name: "Widget IT" }, roles: ["specialist", "workflow_manager"] };

/** The fields of a permission. */
export const permissionEntry = { properties: { account: {}, roles: {} } };

export function permissionOperations(context: OpenApiContext): ApiOperations {
  const path = "/people/:id/permissions";
  const roles = (): Schema => ({
    type: "array",
    items: buildEnumerationSchema(context, "permission.role", enumerations["permission.role"]),
  });
  const permission = (): Ref =>
    context.components.ref("schemas", "Permission", () => ({
      type: "object",
      required: ["account", "roles"],
      properties: { account: buildReferenceSchema(context, context.types.get("account")), roles: roles() },
    }));
  const inQuery = (): Schema => ({
    name: "roles",
    in: "query",
    description: "Roles, comma separated.",
    style: "form",
    explode: false,
    schema: roles(),
  });
  const inBody = (): Schema => ({
    description: "The roles, unless the query names them.",
    content: {
      "application/json": {
        schema: { type: "object", properties: { roles: roles() } },
        example: { roles: example.roles },
      },
    },
  });
  const one = (operationId: string, summary: string, more: Partial<ApiOperation> = {}): ApiOperation => ({
    operationId,
    summary,
    responses: { 200: buildJsonResponse(context, "The roles in that account.", permission(), example, []) },
    ...more,
  });
  const change = (operationId: string, summary: string) => (): ApiOperation =>
    one(operationId, summary, {
      description: "For administrators of that account. Nobody takes a role away from themselves.",
      parameters: [inQuery()],
      requestBody: inBody(),
    });
  return [
    [
      "GET /people/all_with_roles",
      () => {
        const all = buildListOperation(context, context.types.get("person"), {
          operationId: "listPeopleWithRoles",
          summary: "List people of any account who hold a role in this one",
        });
        const others = (all.parameters ?? []).filter((parameter) => parameter.$ref !== personRolesFilterRef);
        return { ...all, parameters: [inQuery(), ...others] };
      },
    ],
    [
      `GET ${path}`,
      () => ({
        operationId: "listPermissionsOfPerson",
        summary: "List the roles of a person, by account",
        parameters: [buildEntryFieldsParameter(permissionEntry), ...buildPagingParameters(context)],
        responses: {
          200: buildJsonResponse(
            context,
            "The roles in each account.",
            { type: "array", items: permission() },
            [example],
            ["ETag", ...pagingHeaders],
          ),
        },
      }),
    ],
    [
      `GET ${path}/:account`,
      () =>
        one("getPermissionOfPerson", "Read the roles of a person in an account", {
          parameters: [buildEntryFieldsParameter(permissionEntry)],
        }),
    ],
    [`POST ${path}/:account`, change("addRolesOfPerson", "Give a person roles in an account")],
    [`PATCH ${path}/:account`, change("replaceRolesOfPerson", "Replace the roles of a person in an account")],
    [
      `PUT ${path}/:account`,
      change("putRolesOfPerson", "Replace the roles of a person in an account (the same as PATCH)"),
    ],
    [
      `DELETE ${path}/:account`,
      () => ({
        operationId: "removeRolesOfPerson",
        summary: "Take roles of a person in an account away",
        description: "Those that `roles` names, or all of them.",
        parameters: [inQuery()],
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
    [
      `DELETE ${path}`,
      () => ({
        operationId: "removeAllRolesOfPerson",
        summary: "Take all roles of a person away, in every account",
        description: "For administrators of the account of the person.",
        responses: { 204: buildNoContentResponse(context) },
      }),
    ],
  ];
}

/** The role filter of /people/all_with_roles, which lists people of any account. */
const personRolesFilterRef = "#/components/parameters/Person-filter-roles";
