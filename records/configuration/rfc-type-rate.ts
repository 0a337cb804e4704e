import {
  choice,
  codeRef,
  currency,
  decimal,
  hiddenTimestamps,
  id,
  opt,
  record,
  ref,
  req,
  ro,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const rfcTypeRate = record("rfc_type_rate", {
  collection: "rfc_type_rates",
  ownedBy: ["service_offering"],
  fields: {
    id,
    service_offering: ro(ref("service_offering"), { internal: true }),
    rfc_type:         req(codeRef("rfc_type")),
    charge_type:      opt(choice("service_offering.charge_type")),
    rate:             opt(decimal, "required for a fixed price"),
    rate_currency:    opt(currency, "required for a fixed price"),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "rfc_type", "charge_type", "rate", "rate_currency"],
});
