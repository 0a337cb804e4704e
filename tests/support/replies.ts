import type { Reply } from "./clients/json-client.ts";

/** the problems of a 422 as short lines */
export const listErrors = (reply: Reply): string[] =>
  reply.body.errors.map(([field, text]: [string, string]) => `${field}: ${text}`);

/** the problems of a 422 as short lines; for other responses the status */
export const describeErrors = (reply: Reply): string[] | number =>
  reply.body?.errors === undefined ? reply.status : listErrors(reply);

export const pickIds = (reply: Reply): number[] => reply.body.map((row: { id: number }) => row.id);
