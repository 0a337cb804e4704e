import { customCollection } from "../../../records/settings/custom-collection.ts";
import { customCollectionElement } from "../../../records/settings/custom-collection-element.ts";
import { type Change, rulesFor } from "../../engine/rules.ts";

/** Lower case, with one underscore for every run of other characters than letters and digits: "X Y - Z" is x_y_z. */
const buildReference = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");

/** A record without a reference gets one from its name, and keeps it when the name changes. */
function setReferenceFromName({ after }: Change<typeof customCollection | typeof customCollectionElement>): void {
  if (after.reference === null && after.name !== null) after.reference = buildReference(after.name);
}

export const customCollectionRules = rulesFor(customCollection, { beforeSave: setReferenceFromName });
export const customCollectionElementRules = rulesFor(customCollectionElement, { beforeSave: setReferenceFromName });
