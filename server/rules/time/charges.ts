import { timeEntry } from "../../../records/work/time-entry.ts";
import { statement } from "../../database/database.ts";
import { parseChoice } from "../../database/rows.ts";
import { listReachableAccounts } from "../../engine/caller.ts";
import type { Change } from "../../engine/rules.ts";

// The customer's price for a time entry (TE3): the fields from charge_type to rateID. The terms of the standard service
// request come first, then those of the RFC type, then those of the kind of request.

const chargeKinds = ["low", "medium", "high", "top", "rfc", "rfi"];
const buildCaseByKind = (column: (kind: string) => string): string =>
  `CASE k.kind ${chargeKinds.map((kind) => `WHEN '${kind}' THEN ${column(kind)}`).join(" ")} END`;
const buildFirstWithChargeType = (column: string, kind: (kind: string) => string): string =>
  `CASE WHEN q.charge_type IS NOT NULL THEN q.${column} WHEN t.charge_type IS NOT NULL THEN t.${column} ELSE ${buildCaseByKind(kind)} END AS ${column}`;

const selectChargeTerms = statement(
  `SELECT c.charge_type,
  CASE c.charge_type WHEN 'time_material' THEN e.rate END,
  CASE c.charge_type WHEN 'time_material' THEN round($3::integer * e.rate / 60, 2) WHEN 'fixed_price' THEN c.rate END,
  CASE c.charge_type WHEN 'time_material' THEN e.rate_currency WHEN 'fixed_price' THEN c.rate_currency END,
  s."agreementID",
  coalesce(
    (SELECT a."activityID" FROM standard_service_request_activity_identifiers a WHERE a.sla_id = s.id AND a.standard_service_request_id = q.id ORDER BY a.id LIMIT 1),
    (SELECT a."activityID" FROM rfc_type_activity_identifiers a WHERE a.sla_id = s.id AND a.rfc_type_id = k.rfc_type ORDER BY a.id LIMIT 1),
    ${buildCaseByKind((kind) => `s."activityID_${kind}"`)}),
  (SELECT i."rateID" FROM effort_class_rate_identifiers i WHERE i.sla_id = s.id AND i.effort_class_id = $4 ORDER BY i.id LIMIT 1)
FROM slas s JOIN service_offerings o ON o.id = s.service_offering_id JOIN requests r ON r.id = $2 AND r.account_id = ANY($5::text[])
CROSS JOIN LATERAL (SELECT CASE r.category WHEN 'incident' THEN r.impact ELSE r.category END AS kind,
  CASE r.category WHEN 'rfc' THEN r.rfc_type_id END AS rfc_type) k
LEFT JOIN standard_service_requests q ON q.service_offering_id = o.id AND q.request_template_id = r.template_id
LEFT JOIN LATERAL (SELECT * FROM rfc_type_rates t WHERE t.service_offering_id = o.id AND t.rfc_type_id = k.rfc_type ORDER BY t.id LIMIT 1) t ON true
LEFT JOIN LATERAL (SELECT * FROM effort_class_rates e WHERE e.service_offering_id = o.id AND e.effort_class_id = $4 ORDER BY e.id LIMIT 1) e ON true
CROSS JOIN LATERAL (SELECT ${[
    buildFirstWithChargeType("charge_type", (kind) => `o.charge_type_${kind}`),
    buildFirstWithChargeType("rate", (kind) => `o.rate_${kind}`),
    buildFirstWithChargeType("rate_currency", (kind) => `o.rate_${kind}_currency`),
  ].join(", ")}) c
WHERE s.id = $1`,
);
const fieldsDecidingCharge = ["time_spent", "effort_class", "sla"] as const;

/** In `beforeSave`, after the steps that choose the agreement and the effort class. */
export async function calculateCharge({ tx, by, before, after }: Change<typeof timeEntry>): Promise<void> {
  if (before !== null && fieldsDecidingCharge.every((name) => before[name] === after[name])) return;
  const { sla, request, time_spent, effort_class } = after;
  const terms = [sla, request, time_spent, effort_class, listReachableAccounts(by)];
  const [row] = sla === null || request === null ? [] : await tx.query(selectChargeTerms, terms);
  const [type, rate, charge, chargeCurrency, agreementID, activityID, rateID] = row ?? [];
  after.charge_type = parseChoice(timeEntry.fields.charge_type, type);
  after.charge_rate = rate ?? null;
  after.charge = charge ?? null;
  after.charge_currency = parseChoice(timeEntry.fields.charge_currency, chargeCurrency);
  after.agreementID = agreementID ?? null;
  after.activityID = activityID ?? null;
  after.rateID = rateID ?? null;
}
