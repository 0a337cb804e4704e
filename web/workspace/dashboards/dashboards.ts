import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import type { Dashboard } from "./tile.ts";

export { dashboards, reports };
export const firstDashboard = "service-desk";
export const findReport = (key: string): Dashboard | undefined =>
  Object.hasOwn(reports, key) ? reports[key as keyof typeof reports] : undefined;
