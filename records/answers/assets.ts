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
  level: noted("how many steps it is away", count),
  open_work: noted("open requests, problems and tasks about it; 0 for end users", count),
});
export const graphRelation = noted(
  "`ci` is the parent, child or the like of `of_ci`.",
  object({ id, of_ci: id, ci: id, relation_type: relationType }),
);
export const graphGroup = noted(
  "Equal neighbors of an item, instead of each of them.",
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
  truncated: noted("there are more items than are shown", boolean),
});

export const ciOutlook = object({
  items: noted("items that fail with it, itself among them", count),
  services: list(named),
  service_instances: list(named),
  slas: noted("in force today", list(named)),
  people: object({ count, examples: list(named) }),
});

export const assetOperations = operations({
  "GET /cis/:id/graph": {
    id: "getGraphOfCi",
    summary: "Retrieve the relations of a configuration item as a graph",
    description: "At most 200 items that the caller may read; four or more equal neighbors are one group.",
    query: {
      depth: noted("How many steps away, at most.", defaultsTo(2, integer({ min: 1, max: maxGraphDepth }))),
    },
    answer: ciGraph,
    answers: "Items and their relations.",
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
      "Its children fail with it. Services run on them, agreements in force promise these services, and people use the items or are covered by the agreements. Not for end users.",
    answer: ciOutlook,
    answers: "Who and what is affected.",
    example: {
      items: 39,
      services: [{ id: 7, name: "Wired network" }],
      service_instances: [{ id: 12, name: "Wired network Eindhoven" }],
      slas: [{ id: 3, name: "Network Gold" }],
      people: { count: 148, examples: [{ id: 21, name: "Grace Hopper" }] },
    },
  },
});
