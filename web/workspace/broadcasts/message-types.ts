import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { MessageKey } from "../../languages/index.ts";
import type { IconComponent } from "../../parts/icon.tsx";
import type { ToneName } from "../../tokens.ts";

export type MessageType = "outage" | "warning" | "info" | "available";
type Look = { tone: ToneName; icon: IconComponent; word: MessageKey };

/** How each kind of broadcast looks, in the order of the choice. */
// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<MessageType, Look>> = {
  outage:    { tone: "red",    icon: IconAlertCircle,   word: "broadcast.outage" },
  warning:   { tone: "yellow", icon: IconAlertTriangle, word: "broadcast.warning" },
  info:      { tone: "blue",   icon: IconInfoCircle,    word: "broadcast.info" },
  available: { tone: "green",  icon: IconCircleCheck,   word: "broadcast.available" },
};

export const messageTypes = Object.keys(looks) as readonly MessageType[];
export const lookOf = (type: string): Look => looks[type as MessageType] ?? looks.info;
