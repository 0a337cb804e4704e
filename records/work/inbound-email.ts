import { id, record, timestamps } from "../vocabulary/index.ts";

export const inboundEmail = record("inbound_email", {
  collection: "inbound_emails",
  fields: { id, ...timestamps },
});
