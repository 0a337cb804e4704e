import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import IconCircleX from "@tabler/icons-react/dist/esm/icons/IconCircleX.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import type { Delivery, Webhook } from "../../api/webhooks.ts";
import type { ToneName } from "../../base/tokens.ts";
import { Chip } from "../../elements/chip.tsx";
import { Icon, type IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import "../../styles/settings/developers.css";

/** `retrying`: waiting after a failed attempt */
type State = Webhook["state"] | Delivery["state"] | "retrying";

// biome-ignore format: a table keeps its columns
const looks: Readonly<Record<State, [ToneName, IconComponent]>> = {
  active:     ["green",  IconCircleCheck],
  unverified: ["yellow", IconClock],
  failing:    ["red",    IconCircleX],
  disabled:   ["grey",   IconCircleDashed],
  delivered:  ["green",  IconCircleCheck],
  waiting:    ["yellow", IconClock],
  retrying:   ["yellow", IconClock],
  failed:     ["red",    IconCircleX],
  dropped:    ["grey",   IconCircleDashed],
};

/** The state of a webhook, as a badge. */
export const StateBadge = ({ state }: { state: State }) => {
  const [tone, icon] = looks[state];
  return (
    <Chip tone={tone} icon={icon}>
      {t(`webhooks.state.${state}`)}
    </Chip>
  );
};

/** The state of a delivery in a table row: without a background, so that many of them don't distract. */
export const StateWord = ({ state }: { state: State }) => {
  const [tone, icon] = looks[state];
  return (
    <span className="state-word" data-tone={tone}>
      <Icon of={icon} />
      {t(`webhooks.state.${state}`)}
    </span>
  );
};
