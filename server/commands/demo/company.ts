import { agile } from "./agile.ts";
import { organizations } from "./organizations.ts";
import { people } from "./people.ts";
import { services } from "./services.ts";
import { settings } from "./settings.ts";
import { sites } from "./sites.ts";
import { surveyResponses, surveys } from "./surveys.ts";
import type { Table } from "./table.ts";
import { teams } from "./teams.ts";

/** All of the demo company, in the order it is created: ids follow from it, so new tables go to the end. */
export const company: readonly Table[] = [
  organizations,
  sites,
  ...people,
  teams,
  surveys,
  services,
  ...settings,
  ...agile,
  ...surveyResponses,
];
