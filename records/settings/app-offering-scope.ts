import { byDefault, choice, id, opt, record, ref, ro, strings, timestamps } from "../vocabulary/index.ts";

// Read below its offering; no route writes it yet.
// biome-ignore format: a table keeps its columns
export const appOfferingScope = record("app_offering_scope", {
  collection: "app_offering_scopes",
  ownedBy: ["app_offering"],
  fields: {
    id,
    app_offering: ro(ref("app_offering"), { internal: true }),
    effect:       opt(choice("scope.effect"), byDefault("allow")),
    actions:      opt(strings, "each <record type>:<operation>"),
    grant_type:   opt(choice("oauth_application.grant_type")),
    conditions:   opt(strings),
    ...timestamps,
  },
  defaultFields: ["id", "effect", "actions"],
});
