import {
  attachments,
  attachmentsOf,
  byDefault,
  choice,
  datetime,
  id,
  integer,
  onCreateOnly,
  opt,
  record,
  ref,
  req,
  ro,
  sources,
  string,
  text,
  timestamps,
  wo,
} from "../vocabulary/index.ts";

// Reference: records/agile.md, "Sprint".
// biome-ignore format: a table keeps its columns
export const sprint = record("sprint", {
  collection: "sprints",
  fields: {
    id,
    number:                  opt(integer({ min: 1 }), "default the next one of the workspace"),
    name:                    opt(string(128)),
    status:                  ro(choice("sprint.status"), byDefault("registered")),
    start_at:                opt(datetime),
    end_at:                  opt(datetime),
    scrum_workspace:         req(ref("scrum_workspace"), onCreateOnly),
    description:             opt(text),
    attachments:             ro(attachments),
    description_attachments: wo(attachmentsOf("description")),
    ...sources,
    ...timestamps,
  },
  defaultFields: ["id", "sourceID", "number", "created_at", "updated_at", "status", "start_at", "scrum_workspace"],
  filterable:    ["id", "source", "sourceID", "created_at", "updated_at", "status", "scrum_workspace"],
  sortable:      ["id", "sourceID", "number", "created_at", "updated_at", "start_at"],
  sort:          "created_at",
});
