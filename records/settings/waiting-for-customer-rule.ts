import { id, record, timestamps } from "../vocabulary/index.ts";

export const waitingForCustomerRule = record("waiting_for_customer_rule", {
  collection: "waiting_for_customer_rules",
  fields: { id, ...timestamps },
});
