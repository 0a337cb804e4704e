import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { authorization } from "../../../records/answers/session.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Person } from "../../engine/caller.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";

// Applications that a person has authorized. Revoking deletes the row; foreign keys delete its codes and tokens.

type AuthorizationLine = AnswerOf<typeof authorization>;

const selectAuthorizations = jsonStatement<AuthorizationLine>(
  `SELECT z.id, json_build_object('id', a.id, 'name', a.name, 'description', a.description, 'homepage_url', a.homepage_url) AS application,
  json_build_object('id', o.id, 'name', o.name) AS account, z.scopes, z.created_at,
  (SELECT max(t.last_used_at) FROM tokens t WHERE t.authorization_id = z.id) AS last_used_at
FROM oauth_authorizations z JOIN oauth_applications a ON a.id = z.application_id JOIN accounts o ON o.id = a.account_id
WHERE z.person_id = $1 ORDER BY a.name, z.id`,
);
const deleteAuthorization = jsonStatement<{ account_id: string; application_id: number; name: string }>(
  `DELETE FROM oauth_authorizations z USING oauth_applications a WHERE a.id = z.application_id AND z.id = $1 AND z.person_id = $2
RETURNING z.account_id, z.application_id, a.name`,
);

export const loadAuthorizations = (oauth: Oauth, person: number): Promise<AuthorizationLine[]> =>
  queryRows(oauth.database, selectAuthorizations, [person]);

/** False: the person has no such authorization. */
export const revokeAuthorization = (oauth: Oauth, person: Person, id: number, address: string): Promise<boolean> =>
  changeAccess(oauth, async (tx, now) => {
    const deleted = await queryFirst(tx, deleteAuthorization, [id, person.id]);
    if (deleted === null) return false;
    const { account_id: account, application_id: application, name } = deleted;
    const details = { application, name };
    recordSecurityEvent(tx, now, { account, person: person.id, event: "authorization-revoked", address, details });
    return true;
  });
