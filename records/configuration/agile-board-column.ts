import {
  boolean,
  byDefault,
  choice,
  id,
  integer,
  opt,
  record,
  ref,
  req,
  ro,
  string,
  timestamps,
} from "../vocabulary/index.ts";

// biome-ignore format: a table keeps its columns
export const agileBoardColumn = record("agile_board_column", {
  collection: "agile_board_columns",
  ownedBy: ["agile_board"],
  fields: {
    id,
    agile_board:  ro(ref("agile_board"), { internal: true }),
    name:         req(string(128)),
    position:     opt(integer({ min: 1 })),
    action_type:  req(choice("agile_board_column.action_type"), byDefault("none")),
    team:         opt(ref("team"), "only with action_type assign"),
    member:       opt(ref("person"), "only when team is set"),
    clear_member: opt(boolean, byDefault(false), "only with action_type assign"),
    dialog_type:  req(choice("agile_board_column.dialog_type"), byDefault("none")),
    remove_after: opt(integer({ min: 0 }), "number of days"),
    wip_limit:    opt(integer({ min: 0 })),
    deleted:      ro(boolean, byDefault(false), "deleted, but kept because it used to contain items"),
    used:         ro(boolean, byDefault(false), { internal: true }),
    ...timestamps,
  },
  defaultFields: ["id", "name", "created_at", "updated_at"],
  sort: "position",
  deletion: { deletable: { marks: "deleted", once: "used" } },
});
