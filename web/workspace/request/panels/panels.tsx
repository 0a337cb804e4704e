import { type ComponentType, lazy, Suspense } from "react";
import { SkeletonRows } from "../../../parts/states/skeleton-rows.tsx";
import type { PageParts, PanelName } from "../page-parts.ts";
import type { PanelProps } from "./panel-props.ts";

// Drawings above the timeline of some types, loaded with the first record that has one.

const panels: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  "release plan": lazy(() => import("./release-plan.tsx")),
  "risk matrix": lazy(() => import("./risk-matrix.tsx")),
};

export function Panels({ type, row, parts }: PanelProps & { parts: PageParts }) {
  return parts.panels.map((name) => {
    const Panel = panels[name];
    return (
      <Suspense key={name} fallback={<SkeletonRows rows={3} />}>
        <Panel type={type} row={row} />
      </Suspense>
    );
  });
}
