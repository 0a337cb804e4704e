import type { Oauth } from "../oauth-context.ts";
import { buildTokenResponse, issueToken, type TokenResponse } from "../token/issue-token.ts";
import { createToken } from "../tokens.ts";
import type { Session } from "./sessions.ts";

// The REST API accepts bearer tokens only. The web application exchanges its session for a token that expires after
// minutes and is deleted with the session.

const lifetime = 600;

export function exchangeSessionForToken(oauth: Oauth, session: Session): Promise<TokenResponse> {
  const { id, person } = session;
  return oauth.database.transaction(async (tx) => {
    const token = createToken();
    issueToken(
      tx,
      oauth.clock.now(),
      { kind: "access", token, lifetime },
      {
        account: person.account,
        person: person.id,
        application: null,
        client: null,
        authorization: null,
        code: null,
        session: id,
        scopes: [{ effect: "allow", actions: ["*:*"], accounts: [] }],
      },
    );
    return buildTokenResponse(token, lifetime);
  });
}
