import { Badge } from "@mantine/core";
import { t } from "../../languages/index.ts";
import type { Delivery, Webhook } from "../../wire.ts";

const colors = {
  active: "teal",
  unverified: "yellow",
  failing: "red",
  disabled: "gray",
  delivered: "teal",
  waiting: "yellow",
  failed: "red",
  dropped: "gray",
} as const;

/** The state of a webhook or of a delivery, in a word. */
export const StateBadge = ({ state }: { state: Webhook["state"] | Delivery["state"] }) => (
  <Badge variant="outline" color={colors[state]} styles={{ label: { color: "var(--mantine-color-text)" } }}>
    {t(`webhooks.state.${state}`)}
  </Badge>
);
