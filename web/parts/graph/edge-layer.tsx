import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { memo } from "react";
import type { GraphEdge, GraphNode } from "../../base/graph.ts";
import { Icon } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { overlaps, type View } from "../viewport/use-view.ts";
import { drawEdge, findMiddle } from "./edge-path.ts";
import type { Layout, PlacedEdge, Point } from "./layout.ts";

type Props = {
  layout: Layout;
  /** null: all lines are rendered */
  view: View | null;
  nodes: readonly GraphNode[];
  critical: ReadonlySet<number>;
  onInsert: ((edge: GraphEdge) => void) | null;
};

const looks = ["plain", "critical", "failure"] as const;

/** The lines between steps, and a button on each that inserts a step. */
export const EdgeLayer = memo(function EdgeLayer({ layout, view, nodes, critical, onInsert }: Props) {
  const states = new Map(nodes.map(({ id, state }) => [id, state]));
  const pickLook = ({ from, to, kind }: PlacedEdge) =>
    kind === "failure" ? "failure" : critical.has(from) && critical.has(to) ? "critical" : "plain";
  // Critical edges are drawn on top.
  const shown = layout.edges.filter((edge) => overlaps(view, computeBounds(edge)));
  const sorted = shown.sort((one, other) => looks.indexOf(pickLook(one)) - looks.indexOf(pickLook(other)));
  return (
    <>
      <svg className="graph-edges" width={layout.width} height={layout.height} aria-hidden="true">
        <defs>
          {looks.map((look) => (
            <marker
              key={look}
              id={`arrow-${look}`}
              className={`graph-arrow graph-arrow-${look}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0.500L8 4 0 7.500Z" />
            </marker>
          ))}
        </defs>
        {sorted.map((edge) => {
          const look = pickLook(edge);
          const hasHappened = look === "failure" && states.get(edge.from) === "failed";
          return (
            <path
              key={`${edge.kind} ${edge.from} ${edge.to}`}
              d={drawEdge(edge)}
              className={`graph-edge graph-edge-${look}`}
              data-happened={hasHappened || undefined}
              markerEnd={`url(#arrow-${look})`}
            />
          );
        })}
      </svg>
      {sorted
        .filter(({ kind }) => kind === "failure")
        .map((edge) => {
          const { x, y } = findMiddle(edge);
          return (
            <span
              key={`${edge.from} ${edge.to}`}
              className="graph-edge-label"
              style={{ left: x + 8, top: y - 9 }}
              aria-hidden="true"
            >
              {t("graph.ifItFails")}
            </span>
          );
        })}
      {onInsert !== null &&
        sorted
          .filter(({ kind }) => kind === "next")
          .map((edge) => {
            const { x, y } = findMiddle(edge);
            return (
              // Keyboard users have N and Shift N, which name the step.
              <button
                key={`${edge.from} ${edge.to}`}
                type="button"
                className="graph-insert"
                style={{ left: x - 11, top: y - 11 }}
                tabIndex={-1}
                aria-hidden="true"
                onClick={() => onInsert({ from: edge.from, to: edge.to, kind: edge.kind })}
              >
                <Icon of={IconPlus} size={13} />
              </button>
            );
          })}
    </>
  );
});

function computeBounds({ points }: PlacedEdge): View {
  const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)];
  return { left: Math.min(...x), top: Math.min(...y), right: Math.max(...x), bottom: Math.max(...y) };
}

/** The line being dragged from one step to another. It moves with the pointer, and nothing else re-renders. */
export const DragLine = ({ line }: { line: { from: Point; to: Point } | null }) =>
  line === null ? null : (
    <svg className="graph-edges" width="1" height="1" aria-hidden="true">
      <path
        className="graph-edge graph-edge-drag"
        d={`M${line.from.x} ${line.from.y}L${line.to.x} ${line.to.y}`}
        markerEnd="url(#arrow-critical)"
      />
    </svg>
  );
