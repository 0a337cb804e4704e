import { enumerations } from "../../../../records/enumerations/index.ts";
import type { ApiOperations } from "../../openapi/api-operation.ts";
import type { OpenApiContext } from "../../openapi/components.ts";
import { buildListOperation } from "../../openapi/crud-operations.ts";
import { buildEnumerationSchema } from "../../openapi/enumeration-schema.ts";

/** The role filter of other lists of people names roles in the account of the person; this list has its own. */
const personRolesFilterRef = "#/components/parameters/Person-filter-roles";

/** Describes the list of people by role in permission-routes.ts for the OpenAPI document: a list of records. */
export const peopleWithRolesOperations = (context: OpenApiContext): ApiOperations => [
  [
    "GET /people/all_with_roles",
    () => {
      const all = buildListOperation(context, context.types.get("person"), {
        operationId: "listPeopleWithRoles",
        summary: "List people of any account who hold a role in this one",
      });
      const role = buildEnumerationSchema(context, "permission.role", enumerations["permission.role"]);
      const roles = {
        ...{ name: "roles", in: "query", description: "Roles, comma-separated.", style: "form", explode: false },
        schema: { type: "array", items: role },
      };
      const others = (all.parameters ?? []).filter((parameter) => parameter.$ref !== personRolesFilterRef);
      return { ...all, parameters: [roles, ...others] };
    },
  ],
];
