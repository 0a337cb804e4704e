import type { ToneName } from "../../base/tokens.ts";

export const offeringTones: Readonly<Record<string, ToneName>> = {
  available: "green",
  temporarily_unavailable: "orange",
  discontinued: "red",
};

export const agreementTones: Readonly<Record<string, ToneName>> = {
  active: "green",
  scheduled_for_activation: "blue",
  expired: "red",
};
