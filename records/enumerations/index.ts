// Every enumeration: the content of GET /enums and the values that choice fields accept.
import { access } from "./access.ts";
import { agreements } from "./agreements.ts";
import { assets } from "./assets.ts";
import { boards } from "./boards.ts";
import { jobs } from "./jobs.ts";
import { knowledge } from "./knowledge.ts";
import { currencies, locales } from "./locales.ts";
import { mailTriggers } from "./mail-triggers.ts";
import { miscellaneous } from "./miscellaneous.ts";
import { people } from "./people.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";
import { requests } from "./requests.ts";
import { time } from "./time.ts";
import { workflows } from "./workflows.ts";

export const enumerations = {
  ...requests,
  ...agreements,
  ...workflows,
  ...projects,
  ...problems,
  ...assets,
  ...boards,
  ...time,
  ...people,
  ...knowledge,
  ...access,
  ...jobs,
  ...miscellaneous,
  ...currencies,
  ...mailTriggers,
  ...locales,
} as const satisfies Record<string, readonly string[]>;

export type EnumerationName = keyof typeof enumerations;
export type EnumerationValue<E extends EnumerationName> = (typeof enumerations)[E][number];
