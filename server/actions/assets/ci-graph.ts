import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { ciGraph, graphGroup, graphItem, graphRelation } from "../../../records/answers/assets.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { buildReadClause } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { value } from "../../engine/sql/query.ts";
import { countOpenWork } from "./open-work.ts";

// The configuration items around one, up to some steps away: CI10. An item that the caller may not read is left out, and
// so is what only it leads to.

type GraphItem = AnswerOf<typeof graphItem>;
type GraphRelation = AnswerOf<typeof graphRelation>;
type GraphGroup = AnswerOf<typeof graphGroup>;
type CiGraph = AnswerOf<typeof ciGraph>;

const maxItems = 200;
/** So many equal neighbors are one group. */
const foldFrom = 4;

const selectRelations = jsonStatement<GraphRelation>(
  `SELECT id, of_ci_id AS of_ci, ci_id AS ci, relation_type FROM ci_relations
WHERE account_id = $1 AND (of_ci_id = ANY($2::integer[]) OR ci_id = ANY($2::integer[])) ORDER BY id LIMIT 2000`,
);

type Item = Omit<GraphItem, "level" | "open_work">;

async function loadItems(engine: Engine, by: Caller, ids: readonly number[]): Promise<Item[]> {
  if (ids.length === 0) return [];
  const parts = {
    ids: value([...ids]),
    readable: buildReadClause(engine.types.get("ci"), by, engine.rules, false),
  };
  const query = engine.statements.prepare(
    "items of a graph",
    parts,
    (sql) => `SELECT json_build_object('id', a.id, 'label', a.label, 'name', a.name, 'status', a.status,
  'product', json_build_object('id', p.id, 'name', p.name), 'category', c.name)
FROM cis a JOIN products p ON p.id = a.product_id LEFT JOIN product_categories c ON c.id = p.category_id
WHERE a.id = ANY(${sql.ids}::integer[]) AND a.life_cycle = 'active' AND ${sql.readable} ORDER BY a.label, a.id`,
  );
  const rows = await engine.database.readMany(query.statement, query.values, by);
  return rows.map(([json]): Item => JSON.parse(json ?? "null"));
}

/** The item is at one end of a relation; from the other end, a child is a parent. */
const turn = (relation: GraphRelation, from: number): GraphRelation => {
  if (relation.of_ci === from) return relation;
  const { relation_type: type } = relation;
  const turned = type === "parent" ? "child" : type === "child" ? "parent" : type;
  return { ...relation, of_ci: from, ci: relation.of_ci, relation_type: turned };
};

export async function loadCiGraph(engine: Engine, by: Caller, id: number, depth: number): Promise<CiGraph> {
  const items = new Map<number, Item & { level: number }>();
  const relations = new Map<number, GraphRelation>();
  for (const item of await loadItems(engine, by, [id])) items.set(item.id, { ...item, level: 0 });
  let truncated = false;
  let edge = [...items.keys()];
  for (let level = 1; level <= depth && edge.length > 0; level++) {
    const found = await queryRows(engine.database, selectRelations, [by.account, edge]);
    const ends = [...new Set(found.flatMap(({ of_ci, ci }) => [of_ci, ci]))].filter((end) => !items.has(end));
    const room = maxItems * 5 - items.size;
    truncated ||= ends.length > room;
    const next = await loadItems(engine, by, ends.slice(0, Math.max(0, room)));
    for (const item of next) items.set(item.id, { ...item, level });
    for (const relation of found) {
      const from = edge.includes(relation.of_ci) ? relation.of_ci : relation.ci;
      const turned = turn(relation, from);
      if (items.has(turned.of_ci) && items.has(turned.ci) && !relations.has(relation.id))
        relations.set(relation.id, turned);
    }
    edge = next.map((item) => item.id);
  }
  const { groups, folded } = foldNeighbours(items, [...relations.values()]);
  const shown = [...items.values()].filter((item) => !folded.has(item.id));
  const kept = new Set(shown.slice(0, maxItems).map((item) => item.id));
  const openWork = await countOpenWork(engine, by, [...kept]);
  return {
    items: shown.slice(0, maxItems).map((item) => ({ ...item, open_work: openWork.get(item.id) ?? 0 })),
    relations: [...relations.values()].filter(({ of_ci, ci }) => kept.has(of_ci) && kept.has(ci)),
    groups: groups.filter(({ of_ci }) => kept.has(of_ci)),
    truncated: truncated || shown.length > maxItems,
  };
}

/** Neighbours with the same relation and product that lead nowhere else become a group. */
function foldNeighbours(
  items: ReadonlyMap<number, Item & { level: number }>,
  relations: readonly GraphRelation[],
): { groups: GraphGroup[]; folded: ReadonlySet<number> } {
  const degree = new Map<number, number>();
  for (const end of relations.flatMap(({ of_ci, ci }) => [of_ci, ci])) degree.set(end, (degree.get(end) ?? 0) + 1);
  const leaves = relations.filter(({ ci }) => degree.get(ci) === 1 && (items.get(ci)?.level ?? 0) > 0);
  const alike = Map.groupBy(leaves, ({ of_ci, relation_type, ci }) =>
    [of_ci, relation_type, items.get(ci)?.product.id].join(" "),
  );
  const groups: GraphGroup[] = [];
  const folded = new Set<number>();
  for (const members of alike.values()) {
    const [relation] = members;
    const parts = members.flatMap(({ ci }) => items.get(ci) ?? []);
    const [part] = parts;
    if (relation === undefined || part === undefined || members.length < foldFrom) continue;
    const labels = parts.map(({ label, name }) => label ?? name).sort();
    const { of_ci, relation_type } = relation;
    const { product, level } = part;
    const [first = "", last = first] = [labels[0], labels.at(-1)];
    const ids = parts.map(({ id }) => id);
    groups.push({
      of_ci,
      relation_type,
      product,
      level,
      count: parts.length,
      first,
      last,
      ids: ids.slice(0, maxItems),
    });
    for (const each of ids) folded.add(each);
  }
  return { groups, folded };
}
