import type { WhoAmI } from "../../../web/api/session.ts";
import type { Answers } from "./answers.ts";
import { aRecord } from "./record.ts";

// Responses for the calls that every page's frame makes.

export type Person = { id: number; name: string; email: string };

export type Reader = {
  account: string;
  roles: readonly string[];
  person: Person;
  /** "en", "nl" … */
  language: string;
};

const labels = { name: "Widget", time_zone: "Amsterdam", iana_zone: "Europe/Amsterdam" };

const counts = { mine: 0, my_teams: 0, unassigned: 0, approvals: 0, watching: 0, unread: 0 };

export function answerFrame({ account, roles, person, language }: Reader): Answers {
  const who: WhoAmI = {
    ...{ access_token: "token", expires_in: 3600, csrf_token: "csrf", stream_position: "1" },
    person: { ...person, ...{ locale: language, time_zone: labels.time_zone, iana_zone: labels.iana_zone }, account },
    accounts: [{ id: account, name: labels.name, roles, manages_team: false }],
  };
  return {
    "GET /session-api/me": who,
    "POST /session-api/access-token": { access_token: "token", expires_in: 3600 },
    "GET /me": aRecord("person", { ...person, primary_email: person.email }),
    "GET /kept_items/:kind": [],
    "PUT /kept_items/:kind/:key": ({ path, body }) => ({
      ...{ key: decodeURIComponent(path.split("/")[3] ?? ""), owner: "me", may_change: true },
      ...{ updated_by: null, updated_at: "2026-01-05T09:00:00Z" },
      ...(body as { value: Record<string, unknown> }), // stores the page's value
    }),
    "DELETE /kept_items/:kind/:key": undefined,
    "GET /inbox": { items: [], counts, next: null },
    "GET /notifications": { items: [], unread: 0, next: null },
    "GET /enums": {},
    "GET /portal/broadcasts": [],
    "POST /session-api/accounts/:account/presence": undefined,
  };
}
