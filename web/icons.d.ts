// Icons are imported individually by file, so that a build reads the few that are used and not all six thousand.
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { Icon } from "@tabler/icons-react";

  const icon: Icon;
  export default icon;
}
