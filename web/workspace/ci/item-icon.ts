import IconApps from "@tabler/icons-react/dist/esm/icons/IconApps.mjs";
import IconArrowsShuffle from "@tabler/icons-react/dist/esm/icons/IconArrowsShuffle.mjs";
import IconDatabase from "@tabler/icons-react/dist/esm/icons/IconDatabase.mjs";
import IconDeviceDesktop from "@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs";
import IconDeviceLaptop from "@tabler/icons-react/dist/esm/icons/IconDeviceLaptop.mjs";
import IconDeviceMobile from "@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs";
import IconPackage from "@tabler/icons-react/dist/esm/icons/IconPackage.mjs";
import IconPlug from "@tabler/icons-react/dist/esm/icons/IconPlug.mjs";
import IconPrinter from "@tabler/icons-react/dist/esm/icons/IconPrinter.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import IconRouter from "@tabler/icons-react/dist/esm/icons/IconRouter.mjs";
import IconServer from "@tabler/icons-react/dist/esm/icons/IconServer.mjs";
import IconWifi from "@tabler/icons-react/dist/esm/icons/IconWifi.mjs";
import type { IconComponent } from "../../elements/icon.tsx";
import { typeIcon } from "../../parts/work/type-icon.tsx";

/** Each account names its own product categories: well-known words in the name select an icon (D-707). */
const icons: readonly (readonly [words: RegExp, icon: IconComponent])[] = [
  [/access.?point|wi-?fi|wireless|wlan/i, IconWifi],
  [/switch/i, IconArrowsShuffle],
  [/router|firewall|gateway/i, IconRouter],
  [/socket|plug|power|ups\b/i, IconPlug],
  [/printer|print/i, IconPrinter],
  [/database/i, IconDatabase],
  [/server|storage|host/i, IconServer],
  [/laptop|notebook/i, IconDeviceLaptop],
  [/phone|mobile|tablet/i, IconDeviceMobile],
  [/workstation|desktop|screen|monitor|\bpc\b/i, IconDeviceDesktop],
  [/package|licen[cs]e/i, IconPackage],
  [/application|software/i, IconApps],
  [/\blines?\b|connection|\bwan\b|circuit/i, IconRoute],
];

/** The icon of a configuration item by its product's category; a default one for all others. */
export const itemIcon = (category: string | null | undefined): IconComponent =>
  icons.find(([words]) => words.test((category ?? "").replaceAll("_", " ")))?.[1] ?? typeIcon("ci");
