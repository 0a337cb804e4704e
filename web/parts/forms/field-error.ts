import { ApiError } from "../../api/index.ts";

/** The server's error for one field of a form. */
export const getFieldError = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.problems
        .filter(([name]) => name === field)
        .map(([, text]) => text)
        .join(". ") || undefined
    : undefined;
