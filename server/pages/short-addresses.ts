import { NotFound } from "../base/errors.ts";
import { jsonStatement, queryFirst } from "../database/rows.ts";
import { loadAccountsFor } from "../oauth/account-access.ts";
import type { PageRoutes } from "./page-routes.ts";
import { parseIdParameter } from "./parse-parameters.ts";
import { redirectTo } from "./responses.ts";

// D-360: the address on the label of a configuration item. It is short, so that its QR code has large squares and a person
// can type it, and it stays when the account or the label gets another name.

const selectAccount = jsonStatement<{ account_id: string }>(
  "SELECT account_id FROM cis WHERE id = $1 AND account_id = ANY($2::text[]) AND life_cycle = 'active'",
);

export function registerShortAddresses({ getSignedIn }: PageRoutes): void {
  getSignedIn("/q/:id", async ({ pages, oauth, session, reply }, params) => {
    const id = parseIdParameter(params);
    const accounts = (await loadAccountsFor(oauth, session.person)).map((account) => account.id);
    const item = await queryFirst(pages.engine.database, selectAccount, [id, accounts]);
    // An item of an account that is closed to the person is as unknown as none.
    if (item === null) throw new NotFound();
    return redirectTo(reply, `/a/${encodeURIComponent(item.account_id)}/cis/${id}`);
  });
}
