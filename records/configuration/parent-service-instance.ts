import { choice, hiddenTimestamps, id, record, ref, req, ro, unselectable } from "../vocabulary/index.ts";

// The instances whose support teams an SLA covers.
// biome-ignore format: a table keeps its columns
export const parentServiceInstance = record("parent_service_instance", {
  collection: "parent_service_instances",
  ownedBy: ["sla"],
  fields: {
    id,
    sla:              ro(ref("sla"), { internal: true }),
    service_instance: req(ref("service_instance"), unselectable),
    impact_relation:  req(choice("parent_service_instance.impact_relation"), unselectable, "how the parent is affected when the service instance of the SLA is down"),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "service_instance", "impact_relation"],
  sort:          "service_instance",
});
