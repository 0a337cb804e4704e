import type { TypeRules } from "../../engine/rules.ts";
import { setReferenceFromName } from "./reference-from-name.ts";

export const customCollectionRules: TypeRules = { beforeSave: setReferenceFromName };
export const customCollectionElementRules: TypeRules = { beforeSave: setReferenceFromName };
