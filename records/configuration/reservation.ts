import { id, record, timestamps } from "../vocabulary/index.ts";

export const reservation = record("reservation", {
  collection: "reservations",
  fields: { id, ...timestamps },
});
