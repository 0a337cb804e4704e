import { Invalid } from "../../base/errors.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { never } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { getToday } from "../shared/current-date.ts";
import { buildParentCondition } from "../shared/parent-condition.ts";
import { slaCoversPerson, slaCoversReferencedPerson } from "./coverage.ts";
import { replaceCustomerViewers } from "./customer-viewers.ts";

// SL1 to SL9

const selectOfferingAndInstance = statement(
  `SELECT o.status, o.service_id, (SELECT i.service_id FROM service_instances i WHERE i.id = $2)
FROM service_offerings o WHERE o.id = $1`,
);

/** The instance is one of the offering's service; what is discontinued is not agreed upon any more. */
async function checkOffering({ tx, after, changed, problem }: Change): Promise<void> {
  if (!changed.has("service_offering") && !changed.has("service_instance")) return;
  const [row] = await tx.query(selectOfferingAndInstance, [
    after.service_offering as number | null,
    after.service_instance as number | null,
  ]);
  if (row === undefined) return;
  const [status, service, serviceOfInstance] = row;
  if (changed.has("service_offering") && status === "discontinued") problem("service_offering", "is not valid");
  if (service !== null && serviceOfInstance !== null && service !== serviceOfInstance)
    problem("service_instance", "is not valid");
}

/** `customer_rep` is the old way to name the representatives: it replaces them all, and shows one of them. */
function settleRepresentatives({ after, changed }: Change): readonly number[] {
  const representative = after.customer_rep as number | null;
  if (changed.has("customer_rep") && !changed.has("customer_representatives"))
    after.customer_representatives = representative === null ? [] : [representative];
  const all = (after.customer_representatives ?? []) as readonly number[];
  if (changed.has("customer_representatives") && (representative === null || !all.includes(representative)))
    after.customer_rep = all[0] ?? null;
  return all;
}

/** An SLA that is active, or will be by itself, has somebody who speaks for the customer. */
const statusesNeedingRepresentative = ["scheduled_for_activation", "active"];

const hasStartDateCome = ({ after, by }: Change): boolean =>
  after.start_date !== null && String(after.start_date) <= getToday(by);

function checkStatus(change: Change, representatives: readonly number[]): void {
  const { before, after, by, problem } = change;
  const status =
    after.status === "scheduled_for_activation" && hasStartDateCome(change) ? "active" : (after.status ?? null);
  if (statusesNeedingRepresentative.includes(status as string) && representatives.length === 0)
    problem("customer_representatives", "can't be blank");
  if (status === "scheduled_for_activation" && after.start_date === null) problem("start_date", "can't be blank");
  // SL3 asks for nothing more when the day has come.
  if (before?.status === after.status || by.isService) return;
  if (status === "active" && after.expiry_date !== null && String(after.expiry_date) < getToday(by))
    problem("expiry_date", "must be in the future");
}

/** What the same request sets is left as it is. */
const setToday =
  (field: string) =>
  ({ after, changed, by }: Change): void => {
    if (!changed.has(field)) after[field] = getToday(by);
  };

const selectRepresentatives = statement(
  "SELECT person_id FROM sla_customer_representatives WHERE sla_id = $1 ORDER BY person_id",
);
const updateRepresentative = statement("UPDATE slas SET customer_rep_id = $3 WHERE id = $1 AND account_id = $2");

export const slaRules: TypeRules = {
  conditions: {
    "covers that person": (by, here?: number) => (here === undefined ? never : slaCoversPerson(by, here)),
    "covers whoever gave that response": slaCoversReferencedPerson("survey_responses", "respondent_id"),
    "is about that service": buildParentCondition(
      "about service",
      (row, here) =>
        `${row}.service_offering_id IN (SELECT o.id FROM service_offerings o WHERE o.service_id = ${here})`,
    ),
  },
  async beforeSave(change) {
    await checkOffering(change);
    checkStatus(change, settleRepresentatives(change));
  },
  afterSave: replaceCustomerViewers,
  guards: {
    "its first day has come": hasStartDateCome,
    "its first day is to come": (change) => !hasStartDateCome(change),
    "its last day is to come": ({ after, by }) =>
      after.expiry_date === null || String(after.expiry_date) > getToday(by),
  },
  effects: { "it starts today": setToday("start_date"), "it ends today": setToday("expiry_date") },
  afterLinkChange: {
    async customer_representatives({ tx, id, account, values }) {
      const left = (await tx.query(selectRepresentatives, [id])).map(([person]) => Number(person));
      if (left.length === 0 && statusesNeedingRepresentative.includes(values.status as string))
        throw new Invalid([["customer_representatives", "can't be blank"]]);
      if (!left.includes(values.customer_rep as number)) tx.send(updateRepresentative, [id, account, left[0] ?? null]);
    },
  },
};

const selectSla = statement("SELECT coverage, service_instance_id FROM slas WHERE id = $1 AND account_id = $2");

export const parentServiceInstanceRules: TypeRules = {
  async beforeSave({ tx, by, before, after, problem }) {
    const [row] = await tx.query(selectSla, [after.sla as number, by.account]);
    if (before === null && row?.[0] !== "service_instances") problem("coverage", "is not valid");
    if (after.service_instance !== null && Number(row?.[1]) === after.service_instance)
      problem("service_instance", "may not contain a loop");
  },
};
