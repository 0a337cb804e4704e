import { accountCreate } from "./account-create.ts";
import { applicationCreate } from "./application-create.ts";
import { backup } from "./backup.ts";
import type { Command } from "./command-line/command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { jobs } from "./jobs.ts";
import { listen } from "./listen.ts";
import { mail } from "./mail.ts";
import { migrate } from "./migrate.ts";
import { passwordSet } from "./password-set.ts";
import { personCreate } from "./person-create.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { tokenCreate } from "./token-create.ts";

/** Every command there is, in the order of the help. */
// biome-ignore format: one line each, so that a new one is a line
export const commands: readonly Command[] = [
  serve,
  migrate,
  demo,
  accountCreate,
  personCreate,
  tokenCreate,
  applicationCreate,
  passwordSet,
  backup,
  restore,
  doctor,
  jobs,
  listen,
  mail,
];
