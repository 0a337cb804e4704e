import { found } from "./answers.ts";
import type { Context } from "./components.ts";
import type { Operations } from "./operation.ts";

// What is said about the routes of note-routes.ts.

export const noteOperations = (context: Context): Operations => [
  [
    "POST /notes/:id/redact",
    () => ({
      operationId: "redactNote",
      summary: "Take away what a note says",
      description: "For administrators. The note stays with its author and date, without its text and its files.",
      responses: { 200: found(context, context.types.named("note")) },
    }),
  ],
];
