import { choice, hiddenTimestamps, id, record, ref, req, ro } from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const ciRelation = record("ci_relation", {
  collection: "ci_relations",
  ownedBy: ["ci"],
  storage: { bidirectional: { here: "of_ci", there: "ci", turned: { relation_type: { parent: "child", child: "parent" } } } },
  fields: {
    id,
    of_ci:         ro(ref("ci"), { internal: true }),
    ci:            req(ref("ci"), { alias: "related_ci" }, "the related item"),
    relation_type: req(choice("ci_relation.relation_type")),
    ...hiddenTimestamps,
  },
  defaultFields: ["id", "ci", "relation_type"],
});
