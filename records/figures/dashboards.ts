import type { TileName } from "./standard-tiles.ts";
import type { Dashboard } from "./tile.ts";

// The dashboards and reports that every account has.

type Named = Dashboard<string> & { tiles: readonly { tile: TileName; width?: number }[] };

export const dashboards = {
  "service-desk": {
    title: "dashboard.serviceDesk",
    lead: "dashboard.serviceDesk.lead",
    tiles: [
      { tile: "open" },
      { tile: "targets" },
      { tile: "solving" },
      { tile: "firstTeam" },
      { tile: "satisfied" },
      { tile: "flow", width: 14 },
      { tile: "targetsByService", width: 10 },
      { tile: "age", width: 7 },
      { tile: "categories", width: 7 },
      { tile: "breaches", width: 10 },
    ],
  },
  workload: {
    title: "dashboard.workload",
    lead: "dashboard.workload.lead",
    tiles: [
      { tile: "teams", width: 12 },
      { tile: "people", width: 12 },
      { tile: "teamsAndImpact", width: 14 },
      { tile: "taskTeams", width: 10 },
    ],
  },
  changes: {
    title: "dashboard.changes",
    lead: "dashboard.changes.lead",
    tiles: [
      { tile: "changesOpen" },
      { tile: "changesFailed" },
      { tile: "changesCompleted", width: 14 },
      { tile: "changeReasons", width: 10 },
      { tile: "changesFailedByService", width: 12 },
      { tile: "tasksFailed", width: 12 },
    ],
  },
} as const satisfies Record<string, Named>;

export const reports = {
  attainment: {
    title: "report.attainment",
    lead: "report.attainment.lead",
    tiles: [
      { tile: "targets" },
      { tile: "solving" },
      { tile: "firstTeam" },
      { tile: "targetsByService", width: 12 },
      { tile: "targetsByTeam", width: 12 },
    ],
  },
  volume: {
    title: "report.volume",
    lead: "report.volume.lead",
    tiles: [
      { tile: "flow", width: 24 },
      { tile: "services", width: 14 },
      { tile: "categories", width: 10 },
    ],
  },
  ageing: {
    title: "report.ageing",
    lead: "report.ageing.lead",
    tiles: [
      { tile: "open" },
      { tile: "age", width: 8 },
      { tile: "statuses", width: 8 },
      { tile: "breaches", width: 8 },
    ],
  },
  flow: {
    title: "report.flow",
    lead: "report.flow.lead",
    tiles: [
      { tile: "open" },
      { tile: "solving" },
      { tile: "flow", width: 24 },
      { tile: "statuses", width: 10 },
      { tile: "teams", width: 14 },
    ],
  },
  workload: dashboards.workload,
  satisfaction: {
    title: "report.satisfaction",
    lead: "report.satisfaction.lead",
    tiles: [
      { tile: "satisfied" },
      { tile: "answers", width: 24 },
      { tile: "satisfiedByService", width: 12 },
      { tile: "satisfiedByTeam", width: 12 },
      { tile: "dissatisfied", width: 24 },
    ],
  },
  time: {
    title: "report.time",
    lead: "report.time.lead",
    tiles: [
      { tile: "timeByDay", width: 14 },
      { tile: "timeByPerson", width: 10 },
    ],
  },
  problems: {
    title: "report.problems",
    lead: "report.problems.lead",
    tiles: [
      { tile: "problems", width: 24 },
      { tile: "problemsByImpact", width: 10 },
      { tile: "problemTeams", width: 14 },
    ],
  },
} as const satisfies Record<string, Named>;
