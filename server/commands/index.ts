import { accountCreate } from "./account-create.ts";
import { applicationCreate } from "./application-create.ts";
import { backupCommand } from "./backup.ts";
import { baseBackup } from "./base-backup.ts";
import type { Command } from "./command-line/command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { filesMove } from "./files-move.ts";
import { graphqlSchema } from "./graphql-schema.ts";
import { jobs } from "./jobs.ts";
import { listen } from "./listen.ts";
import { mail } from "./mail.ts";
import { migrateCommand } from "./migrate.ts";
import { passwordSet } from "./password-set.ts";
import { personCreate } from "./person-create.ts";
import { restoreCommand } from "./restore.ts";
import { secondFactorRemove } from "./second-factor-remove.ts";
import { serve } from "./serve.ts";
import { signInPolicyReset } from "./sign-in-policy-reset.ts";
import { ssoDisable } from "./sso-disable.ts";
import { tokenCreate } from "./token-create.ts";

/** All commands, in the order of the help. */
// biome-ignore format: one line each, so that a new one is a line
export const commands: readonly Command[] = [
  serve,
  migrateCommand,
  demo,
  accountCreate,
  personCreate,
  tokenCreate,
  applicationCreate,
  passwordSet,
  secondFactorRemove,
  signInPolicyReset,
  ssoDisable,
  backupCommand,
  restoreCommand,
  baseBackup,
  filesMove,
  doctor,
  jobs,
  graphqlSchema,
  listen,
  mail,
];
