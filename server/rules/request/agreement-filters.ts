import { BadRequest } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Clause, never } from "../../engine/sql/clauses.ts";

// D-570: requests by the agreements whose targets they got, and by the offerings of these. Only people who work for the
// account filter by them: requesters must not learn which agreements a request affects.

const staff = ["specialist", "auditor", "account_designer", "account_administrator", "service_level_manager"];
const maxIds = 100;

function parseIds(field: string, value: string): number[] {
  const ids = value.split(",").map((text) => text.trim());
  const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;
  if (ids.length > maxIds || !ids.every(isId)) throw new BadRequest(`Invalid value for field '${field}'`);
  return ids.map(Number);
}

const buildFilter =
  (field: string, condition: (ids: string) => string) =>
  (value: string, by: Caller): Clause => {
    const ids = parseIds(field, value);
    if (!staff.some((role) => by.roles.has(role))) return never;
    return {
      key: `affects ${field}`,
      sql: (alias, next) =>
        `EXISTS (SELECT 1 FROM affected_slas f WHERE f.account_id = ${next()} AND f.request_id = ${alias}.id AND ${condition(`ANY(${next()}::integer[])`)})`,
      values: [by.account, ids],
    };
  };

export const agreementFilters = {
  sla: buildFilter("sla", (ids) => `f.sla_id = ${ids}`),
  service_offering: buildFilter(
    "service_offering",
    (ids) => `f.sla_id IN (SELECT s.id FROM slas s WHERE s.service_offering_id = ${ids})`,
  ),
};
