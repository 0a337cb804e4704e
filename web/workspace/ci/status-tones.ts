import type { ToneName } from "../../base/tokens.ts";

/** The tone of an item's status: grey if it is neither good nor bad. */
const tones: Readonly<Record<string, ToneName>> = {
  in_production: "green",
  installed: "green",
  broken_down: "red",
  lost_or_stolen: "red",
  being_repaired: "orange",
  undergoing_maintenance: "orange",
};

export const pickStatusTone = (status: string): ToneName => tones[status] ?? "grey";
