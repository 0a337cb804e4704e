import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";

// Record types with a page of their own; all others have the generated one.

const RequestScreen = lazyRouteComponent(() => import("../request/request-page.tsx"), "RequestScreen");

export const recordPages: Readonly<Record<string, ComponentType<{ type: RecordType; id: string }>>> = {
  request: RequestScreen,
  problem: RequestScreen,
  release: RequestScreen,
  risk: RequestScreen,
};
