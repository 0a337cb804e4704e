import { id, integer, record, ref, req, ro, timestamps } from "../vocabulary/index.ts";

// A follow-up has at most five.
// biome-ignore format: a table keeps its columns
export const waitingForCustomerRule = record("waiting_for_customer_rule", {
  collection: "waiting_for_customer_rules",
  ownedBy: ["waiting_for_customer_follow_up"],
  fields: {
    id,
    waiting_for_customer_follow_up: ro(ref("waiting_for_customer_follow_up"), { internal: true }),
    nr_of_business_days:            req(integer({ min: 1, max: 999 }), "before the notification is generated"),
    ...timestamps,
  },
  defaultFields: ["id", "nr_of_business_days", "created_at", "updated_at"],
  sort:          "nr_of_business_days",
  unique:        [["waiting_for_customer_follow_up", "nr_of_business_days"]],
});
