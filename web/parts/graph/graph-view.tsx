import IconArrowsMaximize from "@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { type GraphEdge, type GraphNode, indexNeighbors } from "../../base/graph.ts";
import { t } from "../../languages/index.ts";
import { useLateFocus } from "../viewport/use-late-focus.ts";
import { overlaps, useView, type View } from "../viewport/use-view.ts";
import { DragLine, EdgeLayer } from "./edge-layer.tsx";
import { defaultSize, layoutGraph, type NodeSize } from "./layout.ts";
import { NodeButton, type NodeCalls } from "./node-button.tsx";
import { useLinkDrag } from "./use-link-drag.ts";
import { usePan } from "./use-pan.ts";
import { useStructure } from "./use-structure.ts";
import { useZoom } from "./use-zoom.ts";
import { walkGraph } from "./walk.ts";
import "../../styles/graph.css";

type Props = {
  label: string;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  /** the steps of the critical path */
  critical: ReadonlySet<number>;
  selected: number | null;
  onSelect(id: number): void;
  onOpen(id: number): void;
  /** inserts a step between two; null: read-only */
  onInsert: ((edge: GraphEdge) => void) | null;
  /** makes one step follow another; null: read-only */
  onLink: ((from: number, to: number) => void) | null;
  size?: NodeSize;
  legend?: ReactNode;
  /** renders the content of a node */
  children(id: number): ReactNode;
};

/** With more steps, only those in view are rendered. */
const drawnWhole = 80;
/** The space below the header on a landscape sheet of office paper, in pixels. */
const paper = { width: 940, height: 520 };
/** the empty border of the canvas */
const border = 24;

/** Steps from left to right. Arrow keys follow the edges, Enter opens a step. */
export function GraphView(props: Props) {
  const { label, nodes, edges, critical, selected, onSelect, onOpen, onInsert, onLink, size = defaultSize } = props;
  const structure = useStructure(nodes, edges);
  const layout = useMemo(() => layoutGraph(structure.ids, structure.edges, size), [structure, size]);
  const neighbors = useMemo(() => indexNeighbors(structure.edges), [structure]);
  const scroller = useRef<HTMLDivElement>(null);
  const zoom = useZoom(scroller, layout);
  const pan = usePan(scroller);
  const link = useLinkDrag(scroller, zoom.scale, onLink);
  const reachable = nodes.some(({ id }) => id === selected) ? selected : nodes[0]?.id;
  const inView = useView(scroller, nodes.length > drawnWhole);
  const view = useMemo(() => toCanvas(inView, zoom.scale), [inView, zoom.scale]);
  const focusLate = useLateFocus(scroller);

  const focus = (id: number) => {
    onSelect(id);
    focusLate(`[data-node="${id}"]`);
  };
  const press = (event: KeyboardEvent, id: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      return onOpen(id);
    }
    const next = walkGraph(layout, neighbors, id, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next !== null) focus(next);
  };
  const latest = useRef({ onSelect, onOpen, onInsert, press });
  useLayoutEffect(() => {
    latest.current = { onSelect, onOpen, onInsert, press };
  });
  // The same functions on every render: an unchanged node isn't re-rendered.
  const calls = useMemo(
    (): NodeCalls => ({
      select: (id) => latest.current.onSelect(id),
      open: (id) => latest.current.onOpen(id),
      press: (event, id) => latest.current.press(event, id),
    }),
    [],
  );
  const mayInsert = onInsert !== null;
  const onPaper = Math.min(1, paper.width / layout.width, paper.height / layout.height);
  const insert = useMemo(() => (mayInsert ? (edge: GraphEdge) => latest.current.onInsert?.(edge) : null), [mayInsert]);
  useScrollToSelected(scroller, layout, selected, zoom.scale, size);
  // biome-ignore format: a table keeps its columns
  const actions = [
    { id: "graph.zoomIn",  group: "general", keys: "+", icon: IconPlus,           name: t("graph.zoomIn"),  run: () => zoom.by(1.2) },
    { id: "graph.zoomOut", group: "general", keys: "-", icon: IconMinus,          name: t("graph.zoomOut"), run: () => zoom.by(1 / 1.2) },
    { id: "graph.fit",     group: "general", keys: "0", icon: IconArrowsMaximize, name: t("graph.fit"),     run: zoom.fit },
  ] as const satisfies readonly Action[];
  useActions(actions);
  return (
    <section className="graph" aria-label={label}>
      <div className="graph-scroll" ref={scroller} {...pan}>
        <div
          className="graph-stage"
          style={{
            "--stage-width": `${layout.width * zoom.scale + 48}px`,
            "--stage-height": `${layout.height * zoom.scale + 48}px`,
            "--graph-scale": zoom.scale,
            "--print-scale": onPaper,
            "--print-height": `${layout.height * onPaper}px`,
          }}
        >
          <div className="graph-canvas" style={{ width: layout.width, height: layout.height }}>
            <EdgeLayer layout={layout} view={view} nodes={nodes} critical={critical} onInsert={insert} />
            <DragLine line={link.line} />
            {nodes.map((node) => {
              const place = layout.nodes.get(node.id);
              if (place === undefined || (node.id !== reachable && !isInView(view, place, size))) return null;
              return (
                <NodeButton
                  key={node.id}
                  node={node}
                  place={place}
                  size={size}
                  isCritical={critical.has(node.id)}
                  isSelected={selected === node.id}
                  isReachable={node.id === reachable}
                  calls={calls}
                  handle={onLink === null ? null : link.handle}
                  show={props.children}
                />
              );
            })}
          </div>
        </div>
      </div>
      {props.legend !== undefined && <div className="graph-legend">{props.legend}</div>}
      <div className="graph-zoom">
        {actions.map((action) => (
          <ActionButton key={action.id} action={action} compact />
        ))}
      </div>
    </section>
  );
}

/** The view in the coordinates of the layout. */
const toCanvas = (view: View | null, scale: number): View | null =>
  view === null
    ? null
    : {
        left: (view.left - border) / scale,
        top: (view.top - border) / scale,
        right: (view.right - border) / scale,
        bottom: (view.bottom - border) / scale,
      };

const isInView = (view: View | null, { x, y }: { x: number; y: number }, { width, height }: NodeSize): boolean =>
  overlaps(view, { left: x, top: y, right: x + width, bottom: y + height });

/** A step selected elsewhere, in the list or by a key, is scrolled into view. */
function useScrollToSelected(
  scroller: RefObject<HTMLDivElement | null>,
  layout: ReturnType<typeof layoutGraph>,
  selected: number | null,
  scale: number,
  size: NodeSize,
): void {
  const before = useRef<number | null>(null);
  const reveal = (id: number) => {
    const [box, place] = [scroller.current, layout.nodes.get(id)];
    if (box === null || place === undefined) return;
    const [left, top] = [place.x * scale + border, place.y * scale + border];
    const [right, bottom] = [left + size.width * scale, top + size.height * scale];
    const margin = 24; // pixels
    if (left < box.scrollLeft + margin) box.scrollLeft = left - margin;
    else if (right > box.scrollLeft + box.clientWidth - margin) box.scrollLeft = right + margin - box.clientWidth;
    if (top < box.scrollTop + margin) box.scrollTop = top - margin;
    else if (bottom > box.scrollTop + box.clientHeight - margin) box.scrollTop = bottom + margin - box.clientHeight;
  };
  const latest = useRef(reveal);
  useLayoutEffect(() => {
    latest.current = reveal;
  });
  useEffect(() => {
    if (selected !== null && selected !== before.current) latest.current(selected);
    before.current = selected;
  }, [selected]);
}
