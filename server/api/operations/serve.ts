import type { AnswerTo } from "../../../records/answers/answer-of.ts";
import type { Operation, OperationKey, Operations } from "../../../records/vocabulary/index.ts";
import type { ApiResponse, Call, Route } from "../http/route.ts";

/** How the server carries out an operation. */
type Served<O extends Operation> = Omit<Route, "method" | "path" | "operation" | "handle"> & {
  handle(call: Call): Promise<ApiResponse<AnswerTo<O>>>;
};

/** The routes of declared operations: each needs one that answers what its declaration says. */
export const serve = <const T extends Operations>(
  declared: T,
  served: { [K in keyof T & OperationKey]: Served<T[K]> },
): Route[] =>
  Object.entries<Served<Operation>>(served).map(([key, route]) => {
    const [method, path] = key.split(" ") as [Route["method"], string];
    return { method, path, operation: declared[key as OperationKey], ...route };
  });
