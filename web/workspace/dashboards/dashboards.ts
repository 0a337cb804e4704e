import { dashboards, reports } from "../../../records/figures/dashboards.ts";
import type { Dashboard } from "./tile.ts";

export { dashboards, reports };

const allReports: Readonly<Record<string, Dashboard>> = reports;
export const firstDashboard = "service-desk";
export const findReport = (key: string): Dashboard | undefined =>
  Object.hasOwn(allReports, key) ? allReports[key] : undefined;
