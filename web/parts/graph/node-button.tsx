import { type KeyboardEvent, memo, type ReactNode } from "react";
import type { GraphNode } from "../../base/graph.ts";
import type { NodeSize, PlacedNode } from "./layout.ts";
import type { LinkHandle } from "./use-link-drag.ts";

export type NodeCalls = {
  select(id: number): void;
  open(id: number): void;
  press(event: KeyboardEvent, id: number): void;
};

type Props = {
  node: GraphNode;
  place: PlacedNode;
  size: NodeSize;
  isCritical: boolean;
  isSelected: boolean;
  isReachable: boolean;
  calls: NodeCalls;
  /** the start of a line to another step; null: steps can't be linked */
  handle: LinkHandle | null;
  show(id: number): ReactNode;
};

/** A step at its position. */
export const NodeButton = memo(function NodeButton(props: Props) {
  const { node, place, size, isCritical, isSelected, isReachable, calls, handle, show } = props;
  const { id, spoken, state, isConditional } = node;
  return (
    <div className="graph-place" style={{ left: place.x, top: place.y, width: size.width, height: size.height }}>
      <button
        type="button"
        className="graph-node"
        data-node={id}
        data-state={state}
        data-conditional={isConditional || undefined}
        data-critical={isCritical || undefined}
        aria-pressed={isSelected}
        tabIndex={isReachable ? 0 : -1}
        onFocus={() => calls.select(id)}
        onClick={() => calls.select(id)}
        onDoubleClick={() => calls.open(id)}
        onKeyDown={(event) => calls.press(event, id)}
      >
        {show(id)}
        <span className="spoken">{spoken}</span>
      </button>
      {handle !== null && <span className="graph-handle" aria-hidden="true" {...handle(id)} />}
    </div>
  );
});
