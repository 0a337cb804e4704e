import type { sla } from "../../../records/configuration/sla.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import type { Agreements } from "./agreement-cache.ts";

// AZ15: the customer account of an SLA is a viewer of the requests that affect the SLA.

// Reads the customers again, because the cached ones may be out of date, and locks them: a change of the customer waits
// for the commit and then finds this request.
const insertViewers = statement(
  `INSERT INTO request_viewers (request_id, account_id, home_account_id)
SELECT $1, s.customer_account_id, $2 FROM slas s WHERE s.id = ANY($3::integer[]) AND s.customer_account_id <> $2 FOR SHARE
ON CONFLICT DO NOTHING`,
);

/** The customers of these SLAs become viewers of the request. */
export function addCustomerViewers(
  { tx, id, account }: Pick<Change, "tx" | "id" | "account">,
  agreements: Agreements,
  slas: readonly number[],
): void {
  const slasOfOthers = slas.filter((id) => {
    const customer = agreements.slas.get(id)?.customer_account ?? null;
    return customer !== null && customer !== account;
  });
  if (slasOfOthers.length > 0) tx.send(insertViewers, [id, account, slasOfOthers]);
}

const deleteViewersOfSla = statement(
  `DELETE FROM request_viewers v USING affected_slas a
WHERE a.account_id = $2 AND a.sla_id = $1 AND v.request_id = a.request_id AND v.home_account_id = $2 AND v.account_id = $3 AND NOT EXISTS (
  SELECT 1 FROM affected_slas b JOIN slas s ON s.id = b.sla_id
  WHERE b.account_id = $2 AND b.request_id = v.request_id AND b.sla_id <> $1 AND s.customer_account_id = $3)`,
);
const insertViewersOfSla = statement(
  `INSERT INTO request_viewers (request_id, account_id, home_account_id)
SELECT DISTINCT a.request_id, $3, $2 FROM affected_slas a WHERE a.account_id = $2 AND a.sla_id = $1 ON CONFLICT DO NOTHING`,
);

/** After a save of an SLA: another customer becomes viewer of its requests in place of the former one. */
export function replaceCustomerViewers({ tx, id, account, before, after }: Change<typeof sla>): void {
  if (before === null || before.customer_account === after.customer_account) return;
  const { customer_account: former } = before;
  const { customer_account: customer } = after;
  if (former !== null) tx.send(deleteViewersOfSla, [id, account, former]);
  if (customer !== null && customer !== account) tx.send(insertViewersOfSla, [id, account, customer]);
}
