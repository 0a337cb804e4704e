import {
  boolean,
  choice,
  defaultsTo,
  integer,
  list,
  named,
  noted,
  object,
  operations,
  orNull,
  string,
} from "../vocabulary/index.ts";

// The configuration items around one, and what fails with it.

export const maxGraphDepth = 3;

const id = integer({ min: 1 });
const count = integer({ min: 0 });
const relationType = choice("ci_relation.relation_type");

export const graphItem = object({
  id,
  label: orNull(string()),
  name: string(),
  status: string(),
  product: named,
  category: orNull(string()),
  level: noted("distance from the configuration item, in steps", count),
  open_work: noted("number of open requests, problems and tasks for the item; 0 for end users", count),
});
export const graphRelation = noted(
  "`ci` is the parent, child or other relation of `of_ci`.",
  object({ id, of_ci: id, ci: id, relation_type: relationType }),
);
export const graphGroup = noted(
  "Similar neighbors of an item, returned as a group instead of individually.",
  object({
    of_ci: id,
    relation_type: relationType,
    product: named,
    level: count,
    count,
    first: string(),
    last: string(),
    ids: list(id),
  }),
);
export const ciGraph = object({
  items: list(graphItem),
  relations: list(graphRelation),
  groups: list(graphGroup),
  truncated: noted("more items exist than are returned", boolean),
});

export const ciOutlook = object({
  items: noted("items that fail when the item fails, including the item itself", count),
  services: list(named),
  service_instances: list(named),
  slas: noted("SLAs active today", list(named)),
  people: object({ count, examples: list(named) }),
});

export const assetOperations = operations({
  "GET /cis/:id/graph": {
    id: "getGraphOfCi",
    summary: "Retrieve the relations of a configuration item as a graph",
    description:
      "Returns at most 200 items that the caller can read. Four or more similar neighbors are returned as one group.",
    query: {
      depth: noted("Maximum distance in steps.", defaultsTo(2, integer({ min: 1, max: maxGraphDepth }))),
    },
    answer: ciGraph,
    answers: "The items and their relations.",
    example: {
      items: [
        {
          ...{ id: 71, label: "SW-1", name: "Campus switch", status: "in_production" },
          ...{ product: { id: 4, name: "Campus switch" }, category: "Switch", level: 0, open_work: 2 },
        },
      ],
      relations: [{ id: 5, of_ci: 71, ci: 72, relation_type: "parent" }],
      groups: [
        {
          ...{ of_ci: 71, relation_type: "child", product: { id: 9, name: "Wall socket" }, level: 1 },
          ...{ count: 34, first: "5.01-A", last: "5.17-B", ids: [101, 102] },
        },
      ],
      truncated: false,
    },
  },
  "GET /cis/:id/outlook": {
    id: "getOutlookOfCi",
    summary: "Analyze the impact of a configuration item",
    description:
      "When the item fails, its children fail too. Returns the services that run on these items, the active agreements for those services, and the people who use the items or are covered by the agreements. Not available to end users.",
    answer: ciOutlook,
    answers: "The affected items, services, agreements and people.",
    example: {
      items: 39,
      services: [{ id: 7, name: "Wired network" }],
      service_instances: [{ id: 12, name: "Wired network Eindhoven" }],
      slas: [{ id: 3, name: "Network Gold" }],
      people: { count: 148, examples: [{ id: 21, name: "Grace Hopper" }] },
    },
  },
});
