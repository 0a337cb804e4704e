import { id, record, timestamps } from "../vocabulary/index.ts";

export const skillPool = record("skill_pool", {
  collection: "skill_pools",
  fields: { id, ...timestamps },
});
