import type { TypeRules } from "../engine/rules.ts";
import { referenceFromName } from "./reference-from-name.ts";

export const customCollectionRules: TypeRules = { check: referenceFromName };
export const customCollectionElementRules: TypeRules = { check: referenceFromName };
