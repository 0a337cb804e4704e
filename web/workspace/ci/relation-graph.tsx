import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconStack2 from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs";
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from "react";
import { ci as ciType } from "../../../records/configuration/ci.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { Icon } from "../../elements/icon.tsx";
import { tip } from "../../elements/tip.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { isFailingGroup } from "./find-failing.ts";
import { foldLeaves, shortenLast } from "./fold-leaves.ts";
import type { CiGraph, GraphItem } from "./graph-types.ts";
import { itemIcon } from "./item-icon.ts";
import { type NodeSize, type PlacedGraph, type PlacedNode, placeItems } from "./place-items.ts";

const getName = ({ label, name }: GraphItem): string => label ?? name;

/** `failing`: the items that fail with it, if they are highlighted */
type Props = { graph: CiGraph; id: number; failing: ReadonlySet<number> | null };

/** The related items of an item. Arrow keys move to the nearest node in that direction, Enter opens it. */
export function RelationGraph({ graph: whole, id, failing }: Props) {
  const { account } = useCurrentAccount();
  const graph = useMemo(() => foldLeaves(whole), [whole]);
  const placed = useMemo(() => placeItems(graph), [graph]);
  const items = new Map(graph.items.map((item) => [item.id, item]));
  const box = useRef<HTMLDivElement>(null);
  // A graph larger than its frame is centered on the item.
  useLayoutEffect(() => {
    const frame = box.current?.parentElement;
    const center = placed.nodes.find(({ item }) => item === id);
    if (frame == null || center === undefined) return;
    frame.scrollTop = center.y + placed.size.height / 2 - frame.clientHeight / 2;
    frame.scrollLeft = center.x + placed.size.width / 2 - frame.clientWidth / 2;
  }, [placed, id]);
  const walk = (event: KeyboardEvent, from: PlacedNode) => {
    const next = findNeighbor(placed, from, event.key);
    if (next === null) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  };
  return (
    <>
      <section className="ci-graph" aria-label={t("ci.graph")}>
        <div className="ci-graph-canvas" ref={box} style={{ width: placed.width, height: placed.height }}>
          <EdgeLines placed={placed} />
          {placed.nodes.map((node) => {
            const style = { left: node.x, top: node.y, ...placed.size };
            const item = node.item === null ? undefined : items.get(node.item);
            if (item === undefined) {
              const group = graph.groups[node.group ?? -1];
              if (group === undefined) return null;
              const name = t("ci.group", { count: group.count, product: group.product.name });
              const range = t("ci.fromTo", { first: group.first, last: group.last });
              const { component: _, ...link } = linkTo(
                `${paths.record(account.id, ciType, group.of_ci)}?tab=ci_relations`,
              );
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: a link, whose address is among the spread props
                <a
                  key={node.key}
                  data-key={node.key}
                  className="ci-node"
                  data-group
                  data-failing={isFailingGroup(group, failing) || undefined}
                  style={style}
                  {...tip(`${name}, ${range}`)}
                  {...link}
                  onKeyDown={(event) => walk(event, node)}
                >
                  <span className="ci-node-icon">
                    <Icon of={IconStack2} />
                  </span>
                  <span className="ci-node-text">
                    <b>{name}</b>
                    <span>{t("ci.fromTo", { first: group.first, last: shortenLast(group.first, group.last) })}</span>
                  </span>
                </a>
              );
            }
            const { component: _, ...link } = linkTo(paths.record(account.id, ciType, item.id));
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: a link, whose address is among the spread props
              <a
                key={node.key}
                data-key={node.key}
                className="ci-node"
                data-center={item.id === id || undefined}
                data-failing={failing?.has(item.id) || undefined}
                data-troubled={(item.id !== id && item.open_work > 0) || undefined}
                style={style}
                {...tip(`${getName(item)}, ${item.product.name}`)}
                {...link}
                onKeyDown={(event) => walk(event, node)}
              >
                <span className="ci-node-icon">
                  <Icon of={itemIcon(item.category)} />
                </span>
                <span className="ci-node-text">
                  <b>{getName(item)}</b>
                  <span>{item.product.name}</span>
                </span>
                {item.id !== id && failing?.has(item.id) === true && <span className="spoken">{t("ci.failsToo")}</span>}
                {item.id !== id && item.open_work > 0 && (
                  <span className="ci-node-mark">
                    <Icon of={IconAlertTriangle} />
                    <span className="spoken">{t("ci.openWork", { count: item.open_work })}</span>
                  </span>
                )}
              </a>
            );
          })}
        </div>
      </section>
      <EdgeLegend placed={placed} />
    </>
  );
}

function EdgeLines({ placed: { layout, nodes, edges, size, width, height } }: { placed: PlacedGraph }) {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const draw = layout === "rows" ? drawInRows : drawInColumns;
  return (
    <svg className="ci-edges" width={width} height={height} aria-hidden="true">
      {edges.map(({ key, from, to, kind }) => {
        const [a, b] = [byKey.get(from), byKey.get(to)];
        if (a === undefined || b === undefined) return null;
        const { path, label } = draw(a, b, size);
        return (
          <g key={key} className="ci-edge" data-kind={kind}>
            <path d={path} />
            {label !== undefined && (
              <text x={label.x} y={label.y} textAnchor="middle">
                {choiceLabel("ci_relation.relation_type", kind)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

type DrawnEdge = { path: string; label?: { x: number; y: number } };

/**
 * From the border of one node to that of the other; nodes in one row are connected at their sides, others above and
 * below.
 */
function drawInRows(a: PlacedNode, b: PlacedNode, { width, height }: NodeSize): DrawnEdge {
  if (a.y === b.y) {
    const [left, right] = a.x < b.x ? [a, b] : [b, a];
    const [x1, x2, y] = [left.x + width, right.x, a.y + height / 2];
    const isNear = x2 - x1 < width;
    const path = isNear ? `M${x1} ${y}H${x2}` : `M${x1} ${y}C${x1 + 40} ${y - 46} ${x2 - 40} ${y - 46} ${x2} ${y}`;
    return { path, label: { x: (x1 + x2) / 2, y: isNear ? y + 4 : y - 30 } };
  }
  const [upper, lower] = a.y < b.y ? [a, b] : [b, a];
  const [x1, y1, x2, y2] = [upper.x + width / 2, upper.y + height, lower.x + width / 2, lower.y];
  const middle = (y1 + y2) / 2;
  return { path: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}` };
}

/** Nodes in one column are connected by an arc beside it. */
function drawInColumns(a: PlacedNode, b: PlacedNode, { width, height }: NodeSize): DrawnEdge {
  const [y1, y2] = [a.y + height / 2, b.y + height / 2];
  if (a.x === b.x) {
    const x = a.x + width;
    return { path: `M${x} ${y1}C${x + 34} ${y1} ${x + 34} ${y2} ${x} ${y2}` };
  }
  const [left, right] = a.x < b.x ? [a, b] : [b, a];
  const [x1, x2] = [left.x + width, right.x];
  const [from, until] = [left.y + height / 2, right.y + height / 2];
  const middle = (x1 + x2) / 2;
  return { path: `M${x1} ${from}C${middle} ${from} ${middle} ${until} ${x2} ${until}` };
}

/** The legend of the lines, used if there are too many for individual labels. */
function EdgeLegend({ placed: { layout, edges } }: { placed: PlacedGraph }) {
  if (layout === "rows") return null;
  return (
    <ul className="ci-legend">
      {[...new Set(edges.map(({ kind }) => kind))].map((kind) => (
        <li key={kind}>
          <svg className="ci-edge" data-kind={kind} width={22} height={6} aria-hidden="true">
            <path d="M0 3H22" />
          </svg>
          {choiceLabel("ci_relation.relation_type", kind)}
        </li>
      ))}
    </ul>
  );
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

function findNeighbor({ layout, nodes }: PlacedGraph, from: PlacedNode, key: string): PlacedNode | null {
  const direction = directions[key];
  if (direction === undefined) return null;
  const [dx, dy] = direction;
  const ahead = nodes.filter((node) => (node.x - from.x) * dx + (node.y - from.y) * dy > 0);
  const isAlong = layout === "rows" ? dy === 0 : dx === 0;
  const inLine = isAlong ? ahead.filter((node) => (layout === "rows" ? node.y === from.y : node.x === from.x)) : ahead;
  // The next row or column first, and the nearest node there.
  const [weightX, weightY] = layout === "rows" ? [1, 4] : [4, 1];
  const distance = (node: PlacedNode) => Math.abs(node.x - from.x) * weightX + Math.abs(node.y - from.y) * weightY;
  return inLine.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}
