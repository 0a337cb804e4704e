import type { Oauth } from "./context.ts";
import { issue, type TokenAnswer, tokenAnswer } from "./issue.ts";
import type { Session } from "./sessions.ts";
import { newToken } from "./tokens.ts";

// The REST API knows bearer tokens only. Our own pages in the browser exchange their session for one that lives for
// minutes and dies with the session.

const lifetime = 600;

export function exchangeSession(oauth: Oauth, session: Session): Promise<TokenAnswer> {
  const { id, person } = session;
  return oauth.database.transaction(async (tx) => {
    const token = newToken();
    issue(tx, oauth.clock.now(), "access", token, lifetime, {
      account: person.account,
      person: person.id,
      application: null,
      client: null,
      authorization: null,
      code: null,
      session: id,
      scopes: [{ effect: "allow", actions: ["*:*"], accounts: [] }],
    });
    return tokenAnswer(token, lifetime);
  });
}
