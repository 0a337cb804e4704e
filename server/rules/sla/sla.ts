import { parentServiceInstance } from "../../../records/configuration/parent-service-instance.ts";
import { sla } from "../../../records/configuration/sla.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { Invalid } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { never } from "../../engine/sql/clauses.ts";
import { getToday } from "../shared/current-date.ts";
import { buildParentCondition } from "../shared/parent-condition.ts";
import { slaCoversPerson, slaCoversReferencedPerson } from "./coverage.ts";
import { replaceCustomerViewers } from "./customer-viewers.ts";

// SL1 to SL9

type SlaChange = Change<typeof sla>;

const selectOfferingAndInstance = statement(
  `SELECT o.status, o.service_id, (SELECT i.service_id FROM service_instances i WHERE i.id = $2)
FROM service_offerings o WHERE o.id = $1`,
);

/** The service instance belongs to the service of the offering, and a discontinued offering cannot be chosen. */
async function checkOffering({ tx, after, changed, problem }: SlaChange): Promise<void> {
  if (!changed.has("service_offering") && !changed.has("service_instance")) return;
  const [row] = await tx.query(selectOfferingAndInstance, [after.service_offering, after.service_instance]);
  if (row === undefined) return;
  const [status, service, serviceOfInstance] = row;
  if (changed.has("service_offering") && status === "discontinued") problem("service_offering", "is not valid");
  if (service !== null && serviceOfInstance !== null && service !== serviceOfInstance)
    problem("service_instance", "is not valid");
}

/** `customer_rep` is the deprecated field: it replaces all representatives, and shows one of them. */
function settleRepresentatives({ after, changed }: SlaChange): void {
  const representative = after.customer_rep;
  if (changed.has("customer_rep") && !changed.has("customer_representatives"))
    after.customer_representatives = representative === null ? [] : [representative];
  const representatives = after.customer_representatives ?? [];
  if (changed.has("customer_representatives") && (representative === null || !representatives.includes(representative)))
    after.customer_rep = representatives[0] ?? null;
}

const needsRepresentative = (status: EnumerationValue<"agreement.status"> | null): boolean =>
  status === "scheduled_for_activation" || status === "active";

const hasStartDateCome = ({ after, by }: SlaChange): boolean =>
  after.start_date !== null && after.start_date <= getToday(by);

function checkStatus(change: SlaChange): void {
  const { before, after, by, problem } = change;
  const status = after.status === "scheduled_for_activation" && hasStartDateCome(change) ? "active" : after.status;
  if (needsRepresentative(status) && (after.customer_representatives ?? []).length === 0)
    problem("customer_representatives", "can't be blank");
  if (status === "scheduled_for_activation" && after.start_date === null) problem("start_date", "can't be blank");
  // SL3: the timer that activates an SLA needs nothing more.
  if (before?.status === after.status || by.isService) return;
  if (status === "active" && after.expiry_date !== null && after.expiry_date < getToday(by))
    problem("expiry_date", "must be in the future");
}

/** Leaves a date alone that the same call sets. */
const setToday =
  (field: "start_date" | "expiry_date") =>
  ({ after, changed, by }: SlaChange): void => {
    if (!changed.has(field)) after[field] = getToday(by);
  };

const selectRepresentatives = statement(
  "SELECT person_id FROM sla_customer_representatives WHERE sla_id = $1 ORDER BY person_id",
);
const updateRepresentative = statement(
  "UPDATE slas SET customer_rep_id = $3, revision = revision + 1 WHERE id = $1 AND account_id = $2",
);

export const slaRules = rulesFor(sla, {
  conditions: {
    "covers that person": (by, here?: number) => (here === undefined ? never : slaCoversPerson(by, here)),
    "covers the respondent of that survey response": slaCoversReferencedPerson("survey_responses", "respondent_id"),
    "is about that service": buildParentCondition(
      "about service",
      (row, here) =>
        `${row}.service_offering_id IN (SELECT o.id FROM service_offerings o WHERE o.service_id = ${here})`,
    ),
  },
  beforeSave: steps<typeof sla>(checkOffering, settleRepresentatives, checkStatus),
  afterSave: replaceCustomerViewers,
  guards: {
    "its first day has come": hasStartDateCome,
    "its first day is to come": (change) => !hasStartDateCome(change),
    "its last day is to come": ({ after, by }) => after.expiry_date === null || after.expiry_date > getToday(by),
  },
  effects: { "it starts today": setToday("start_date"), "it ends today": setToday("expiry_date") },
  afterLinkChange: {
    async customer_representatives({ tx, id, account, values }) {
      const representatives = (await tx.query(selectRepresentatives, [id])).map(([person]) => Number(person));
      if (representatives.length === 0 && needsRepresentative(values.status))
        throw new Invalid([["customer_representatives", "can't be blank"]]);
      if (values.customer_rep === null || !representatives.includes(values.customer_rep))
        tx.send(updateRepresentative, [id, account, representatives[0] ?? null]);
    },
  },
});

const selectSla = statement("SELECT coverage, service_instance_id FROM slas WHERE id = $1 AND account_id = $2");

export const parentServiceInstanceRules = rulesFor(parentServiceInstance, {
  async beforeSave(change) {
    const { tx, by, before, after } = change;
    const { problem }: Pick<Change, "problem"> = change; // `coverage` is a field of the SLA
    const [row] = await tx.query(selectSla, [after.sla, by.account]);
    if (before === null && row?.[0] !== "service_instances") problem("coverage", "is not valid");
    if (after.service_instance !== null && parseNumberOrNull(row?.[1]) === after.service_instance)
      problem("service_instance", "may not contain a loop");
  },
});
