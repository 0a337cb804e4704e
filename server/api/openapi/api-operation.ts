import type { Ref, Schema } from "./components.ts";

/** The description of one route. Scope, credentials and error responses are derived from the route itself. */
export type ApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  /** default: the tag of the first path segment */
  tag?: string;
  /** the route has no description */
  undescribed?: true;
  parameters?: readonly (Ref | Schema)[];
  requestBody?: Schema;
  /** successful responses by status */
  responses: Record<string, Schema>;
};

/** Keyed by method and path, "GET /people/:id". Built only when the route exists. */
export type ApiOperations = [key: string, build: () => ApiOperation][];
