import { account } from "./account.ts";
import { agile } from "./agile.ts";
import { appsAndExtensions } from "./apps-and-extensions.ts";
import { assets } from "./assets.ts";
import { calendars } from "./calendars.ts";
import { knowledge } from "./knowledge.ts";
import type { Tables } from "./notation.ts";
import { peopleAndOrganizations } from "./people-and-organizations.ts";
import { problemsReleasesProjectsRisks } from "./problems-releases-projects-risks.ts";
import { requests } from "./requests.ts";
import { servicesAndSlas } from "./services-and-slas.ts";
import { specConfigurationRecords } from "./spec-configuration-records.ts";
import { specWorkRecords } from "./spec-work-records.ts";
import { surveys } from "./surveys.ts";
import { timeAndEffort } from "./time-and-effort.ts";
import { workflowsAndTasks } from "./workflows-and-tasks.ts";

export const parts: readonly Tables[] = [
  account,
  peopleAndOrganizations,
  calendars,
  servicesAndSlas,
  assets,
  timeAndEffort,
  requests,
  workflowsAndTasks,
  problemsReleasesProjectsRisks,
  knowledge,
  agile,
  surveys,
  appsAndExtensions,
  specWorkRecords,
  specConfigurationRecords,
];

/** All record types of the specification and the reference. */
export const tables: Tables = Object.assign({}, ...parts);
