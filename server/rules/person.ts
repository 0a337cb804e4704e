import type { TypeRules } from "../engine/rules.ts";
import { isInternal, isMineOrBelow } from "./organization.ts";

export const personRules: TypeRules = {
  conditions: {
    "works for an internal organization": (by) => isInternal("organization_id", by),
    "works for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
  },
};
