import type { ChangeOrigin } from "../../records/journal/change-origins.ts";

// Jobs change records later than the call that queued them. They store the token or application of that call, so that audit
// lines name it; the network address stays with the call.

type OriginProgram = Pick<ChangeOrigin, "token" | "application">;

/** As JSON; null: the call came from a browser. */
export function formatProgram({ token, application }: ChangeOrigin): string | null {
  if (application !== undefined) return JSON.stringify({ application });
  return token === undefined ? null : JSON.stringify({ token });
}

export const parseProgram = (text: string | null): OriginProgram =>
  text === null ? {} : (JSON.parse(text) as OriginProgram);
