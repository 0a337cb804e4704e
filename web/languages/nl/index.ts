import { actions } from "./actions.ts";
import { firstRun } from "./first-run.ts";
import { generic } from "./generic.ts";
import { inbox } from "./inbox.ts";
import { lists } from "./lists.ts";
import { menu } from "./menu.ts";
import { newRequest } from "./new-request.ts";
import { notifications } from "./notifications.ts";
import { parts } from "./parts.ts";
import { profile } from "./profile.ts";
import { request } from "./request.ts";
import { settings } from "./settings.ts";
import { settingsHome } from "./settings-home.ts";
import { shell } from "./shell.ts";

export const nl = {
  ...shell,
  ...actions,
  ...parts,
  ...inbox,
  ...request,
  ...newRequest,
  ...lists,
  ...notifications,
  ...profile,
  ...generic,
  ...settings,
  ...menu,
  ...settingsHome,
  ...firstRun,
} as const;
