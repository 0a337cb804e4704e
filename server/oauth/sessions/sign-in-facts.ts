import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { signInMethods } from "../../../records/answers/sign-in.ts";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../database/database.ts";
import { jsonStatement, queryOne } from "../../database/rows.ts";

// How a person signs in, for administrators: facts and times, nothing that could be used to sign in.

export type SignInFacts = AnswerOf<typeof signInMethods>;

/** A person has few of each; the limits keep the answer small in any case. */
const list = (members: string, rows: string, order: string): string =>
  `(SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${members} FROM ${rows} ORDER BY ${order} LIMIT 20) x)`;
const one = (members: string, rows: string): string =>
  `(SELECT row_to_json(x) FROM (SELECT ${members} FROM ${rows}) x)`;

const selectFacts = jsonStatement<SignInFacts>(
  `SELECT ${one("changed_at", "passwords WHERE person_id = $1")} AS password,
  ${one("created_at", "second_factors WHERE person_id = $1")} AS second_factor,
  ${list("name, created_at, last_used_at", "passkeys WHERE person_id = $1", "id")} AS passkeys,
  ${list(
    "v.name, max(l.last_used_at) AS last_used_at",
    "identity_links l JOIN identity_providers v ON v.id = l.provider_id WHERE l.person_id = $1 GROUP BY v.id, v.name",
    "v.name, v.id",
  )} AS identity_providers,
  ${list(
    "user_agent, address, created_at, last_seen_at",
    "sessions WHERE person_id = $1 AND idle_expires_at > $2 AND expires_at > $2",
    "last_seen_at DESC, id DESC",
  )} AS sessions,
  ${one(
    "count(*)::integer AS count, max(last_used_at) AS last_used_at",
    "tokens WHERE person_id = $1 AND kind = 'personal' AND (expires_at IS NULL OR expires_at > $2)",
  )} AS personal_access_tokens,
  ${one(
    "count(DISTINCT z.id)::integer AS count, max(t.last_used_at) AS last_used_at",
    "oauth_authorizations z LEFT JOIN tokens t ON t.authorization_id = z.id WHERE z.person_id = $1",
  )} AS applications`,
);

export const loadSignInFacts = (
  { database, clock }: { database: Database; clock: Clock },
  person: number,
): Promise<SignInFacts> => queryOne(database, selectFacts, [person, clock.now().toISOString()]);
