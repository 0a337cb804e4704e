import { agile } from "./agile.ts";
import { agreements } from "./agreements.ts";
import { assets } from "./assets.ts";
import { calendarTables } from "./calendars.ts";
import { knowledge } from "./knowledge.ts";
import { offers } from "./offers.ts";
import { organizations } from "./organizations.ts";
import { people } from "./people.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { sites } from "./sites.ts";
import { surveyResponses, surveys } from "./surveys.ts";
import type { Table } from "./table.ts";
import { teams } from "./teams.ts";
import { templates } from "./templates.ts";
import { absences, timeTables } from "./time-tracking.ts";

/** All tables in the order of creation, which determines ids: add new tables at the end. */
export const companyTables: readonly Table[] = [
  organizations,
  sites,
  ...people,
  teams,
  surveys,
  services,
  ...settings,
  ...agile,
  ...surveyResponses,
  ...calendarTables,
  ...timeTables,
  ...agreements,
  ...assets,
  ...templates,
  knowledge,
  ...offers,
];

/** Tables whose rows need the links of other rows. */
export const tablesAfterLinks: readonly Table[] = absences;
