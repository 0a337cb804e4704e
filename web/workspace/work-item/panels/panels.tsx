import { type ComponentType, Suspense } from "react";
import { lazyPart } from "../../../elements/lazy-part.tsx";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import type { PanelName } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";

// Panels that only some types have, loaded with the first record that uses one.

const panels: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  "order lines": lazyPart(async () => (await import("./order-lines.tsx")).default),
  "release plan": lazyPart(async () => (await import("./release-plan.tsx")).default),
  "risk matrix": lazyPart(async () => (await import("./risk-matrix.tsx")).default),
  "task step": lazyPart(async () => (await import("../../task/task-step.tsx")).default),
  "task decision": lazyPart(async () => (await import("../../task/decision.tsx")).default),
  "task instructions": lazyPart(async () => (await import("../../task/instructions.tsx")).default),
  "task approvers": lazyPart(async () => (await import("../../task/approvers.tsx")).default),
  "task neighbours": lazyPart(async () => (await import("../../task/neighbors.tsx")).default),
};

type Props = PanelProps & { names: readonly PanelName[]; isQuiet?: boolean };

/** `isQuiet`: no placeholder is shown while they are loading. */
export function Panels({ type, row, names, isQuiet = false }: Props) {
  return names.map((name) => {
    const Panel = panels[name];
    return (
      <Suspense key={name} fallback={isQuiet ? null : <SkeletonRows rows={3} />}>
        <Panel type={type} row={row} />
      </Suspense>
    );
  });
}
