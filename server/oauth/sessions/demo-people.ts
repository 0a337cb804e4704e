import { jsonStatement, queryRows } from "../../database/rows.ts";
import type { Oauth } from "../oauth-context.ts";

/** A person of the demo company: their job, and the account they work in. */
export type DemoSignIn = { role: string; email: string; account: string };
export type DemoPerson = { id: number; account: string; name: string; role: string; worksIn: string };

type Row = { id: number; account: string; name: string; email: string };

const selectPeople = jsonStatement<Row>(
  `SELECT DISTINCT ON (lower(primary_email)) id, account_id AS account, name, lower(primary_email) AS email
FROM people WHERE lower(primary_email) = ANY($1::text[]) AND NOT disabled AND life_cycle = 'active'
ORDER BY lower(primary_email), id`,
);

/** Those of them who exist: a demo may run without the demo company. */
export async function loadDemoPeople(oauth: Oauth, wanted: readonly DemoSignIn[]): Promise<DemoPerson[]> {
  const rows = await queryRows(oauth.database, selectPeople, [wanted.map(({ email }) => email.toLowerCase())]);
  return wanted.flatMap(({ role, email, account: worksIn }) => {
    const row = rows.find((each) => each.email === email.toLowerCase());
    return row === undefined ? [] : [{ id: row.id, account: row.account, name: row.name, role, worksIn }];
  });
}
