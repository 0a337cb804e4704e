import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import type { Agreements } from "./agreement-cache.ts";

// AZ15: customer_account of an SLA also decides whether the customer's specialists see the requests that list the SLA.
// They look on: the requests stay where they are worked on.

// Who the customers are is asked again, of rows that cannot change before the request is there for that change to find.
const insertViewers = statement(
  `INSERT INTO request_onlookers (request_id, account_id, home_account_id)
SELECT $1, s.customer_account_id, $2 FROM slas s WHERE s.id = ANY($3::integer[]) AND s.customer_account_id <> $2 FOR SHARE
ON CONFLICT DO NOTHING`,
);

/** The customers of these SLAs see the request from now on. */
export function addCustomerViewers({ tx, id, account }: Change, agreements: Agreements, slas: readonly number[]): void {
  const others = slas.filter((sla) => ![null, undefined, account].includes(agreements.slas.get(sla)?.customer_account));
  if (others.length > 0) tx.send(insertViewers, [id, account, others]);
}

const deleteViewersOfSla = statement(
  `DELETE FROM request_onlookers o USING affected_slas a
WHERE a.account_id = $2 AND a.sla_id = $1 AND o.request_id = a.request_id AND o.account_id = $3 AND NOT EXISTS (
  SELECT 1 FROM affected_slas b JOIN slas s ON s.id = b.sla_id
  WHERE b.account_id = $2 AND b.request_id = o.request_id AND b.sla_id <> $1 AND s.customer_account_id = $3)`,
);
const insertViewersOfSla = statement(
  `INSERT INTO request_onlookers (request_id, account_id, home_account_id)
SELECT DISTINCT a.request_id, $3, $2 FROM affected_slas a WHERE a.account_id = $2 AND a.sla_id = $1 ON CONFLICT DO NOTHING`,
);

/** The SLA has got another customer: requests that list it are shown there, and no longer to whom it was before. */
export function replaceCustomerViewers({ tx, id, account, before, after }: Change): void {
  if (before === null) return;
  const [was, is] = [before.customer_account, after.customer_account] as [string | null, string | null];
  if (was === is) return;
  if (was !== null) tx.send(deleteViewersOfSla, [id, account, was]);
  if (is !== null && is !== account) tx.send(insertViewersOfSla, [id, account, is]);
}
