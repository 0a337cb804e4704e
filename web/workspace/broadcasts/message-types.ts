import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { ToneName } from "../../base/tokens.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import type { MessageKey } from "../../languages/index.ts";

export type MessageType = "outage" | "warning" | "info" | "available";
type Look = { tone: ToneName; icon: IconComponent; word: MessageKey };

/** The look of each kind of broadcast. */
// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<MessageType, Look>> = {
  outage:    { tone: "red",    icon: IconAlertCircle,   word: "broadcast.outage" },
  warning:   { tone: "yellow", icon: IconAlertTriangle, word: "broadcast.warning" },
  info:      { tone: "blue",   icon: IconInfoCircle,    word: "broadcast.info" },
  available: { tone: "green",  icon: IconCircleCheck,   word: "broadcast.available" },
};

/** In the order in which they are offered. */
export const messageTypes: readonly MessageType[] = ["outage", "warning", "info", "available"];
export const getLook = (type: string): Look => looks[messageTypes.find((each) => each === type) ?? "info"];
