import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import IconMessageCircle from "@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs";
import IconReplace from "@tabler/icons-react/dist/esm/icons/IconReplace.mjs";
import type { Row } from "../../api/index.ts";
import { formatMinutes } from "../../base/moments.ts";
import type { IconComponent } from "../../elements/icon.tsx";
import { t } from "../../languages/index.ts";
import { choiceExplanation, shortChoiceLabel } from "../../languages/labels.ts";
import type { TargetValue } from "./parse-target.ts";

// The kind of a request for an offering: an incident's impact, or another category.

const impacts = ["top", "high", "medium", "low"] as const;
/** absent: an impact */
export const categoryIcons: Readonly<Record<string, IconComponent>> = {
  rfc: IconReplace,
  rfi: IconHelpCircle,
  case: IconMessageCircle,
};
export const requestKinds: readonly string[] = [...impacts, ...Object.keys(categoryIcons)];

const findEnumeration = (kind: string): string =>
  categoryIcons[kind] === undefined ? "request.impact" : "request.category";

export const kindLabel = (kind: string): string => shortChoiceLabel(findEnumeration(kind), kind);
export const kindExplanation = (kind: string): string => choiceExplanation(findEnumeration(kind), kind);

const readNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

export const readTarget = (row: Row, part: "response" | "resolution", kind: string): TargetValue => ({
  minutes: readNumber(row[`${part}_target_${kind}`]),
  days: readNumber(row[`${part}_target_${kind}_in_days`]),
});

/** Empty: there is no target. */
export const formatTarget = ({ minutes, days }: TargetValue): string =>
  minutes !== null ? formatMinutes(minutes) : days !== null ? t("offering.days", { count: days }) : "";
