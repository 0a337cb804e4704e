import { type ComponentType, lazy, Suspense } from "react";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import type { PanelName } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";

// Parts that only some types have, loaded with the first record that has one.

const panels: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  "release plan": lazy(() => import("./release-plan.tsx")),
  "risk matrix": lazy(() => import("./risk-matrix.tsx")),
  "task step": lazy(() => import("../../task/task-step.tsx")),
  "task decision": lazy(() => import("../../task/decision.tsx")),
  "task instructions": lazy(() => import("../../task/instructions.tsx")),
  "task approvers": lazy(() => import("../../task/approvers.tsx")),
  "task neighbours": lazy(() => import("../../task/neighbours.tsx")),
};

type Props = PanelProps & { names: readonly PanelName[]; isQuiet?: boolean };

/** `isQuiet`: nothing stands in for them while they are loaded. */
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
