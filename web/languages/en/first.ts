import { actions } from "./actions.ts";
import { inbox } from "./inbox.ts";
import { menu } from "./menu.ts";
import { parts } from "./parts.ts";
import { shell } from "./shell.ts";

/** What the frame and the inbox say; the words of all pages (index.ts) are loaded after them. */
export const first = { ...shell, ...actions, ...parts, ...inbox, ...menu };
