import { choice, hiddenTimestamps, id, integer, record, ref, req, ro } from "../vocabulary/index.ts";

// Reference: records/assets.md, "CI relation". Each end has the relation among its own, with the type that it sees.
// biome-ignore format: a table keeps its columns
export const ciRelation = record("ci_relation", {
  collection: "ci_relations",
  ownedBy: ["ci"],
  fields: {
    id,
    of_ci:         ro(ref("ci"), { internal: true }),
    ci:            req(ref("ci"), { alias: "related_ci" }, "the related item"),
    relation_type: req(choice("ci_relation.relation_type")),
    mirror:        ro(integer(), { internal: true }, "the same relation, as the related item has it"),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "ci", "relation_type"],
});
