import type { Ref, Schema } from "./components.ts";

/** What is said about one route. The rest (scope, credentials, failures) follows from the route itself. */
export type ApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  /** without it: the tag of the first segment of the path */
  tag?: string;
  /** nobody wrote words for it */
  undescribed?: true;
  parameters?: readonly (Ref | Schema)[];
  requestBody?: Schema;
  /** the good answers, by status */
  responses: Record<string, Schema>;
};

/** By method and path as routes are written, "GET /people/:id". Said only when there is such a route. */
export type ApiOperations = [key: string, say: () => ApiOperation][];
