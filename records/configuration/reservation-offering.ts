import { id, record, timestamps } from "../vocabulary/index.ts";

export const reservationOffering = record("reservation_offering", {
  collection: "reservation_offerings",
  fields: { id, ...timestamps },
});
