import { ianaOf } from "../base/time-zones.ts";
import type { Change, TypeRules } from "../engine/rules.ts";
import { nextPosition } from "./position.ts";

/** responded_at in the time zone of the account. */
function partOf({ after, by }: Change, part: "year" | "month"): number {
  const moment = new Date(String(after.responded_at));
  return Number(
    new Intl.DateTimeFormat("en-US", { timeZone: ianaOf(by.accountRecord.time_zone), [part]: "numeric" }).format(
      moment,
    ),
  );
}

export const surveyResponseRules: TypeRules = {
  derive: {
    "year of responded_at": (change) => partOf(change, "year"),
    "month of responded_at": (change) => partOf(change, "month"),
  },
};

export const surveyQuestionRules: TypeRules = { check: nextPosition("survey_questions", "survey") };
