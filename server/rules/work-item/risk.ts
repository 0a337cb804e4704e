import { risk } from "../../../records/work/risk.ts";
import { rulesFor } from "../../engine/rules.ts";
import { addNotes } from "../communication/notes.ts";
import { setResolutionDuration } from "./resolution-duration.ts";

// RK1

export const riskRules = rulesFor(risk, {
  beforeSave({ after, problem }) {
    if (after.status !== "closed") after.closure_reason = null;
    else if (after.closure_reason === null) problem("closure_reason", "can't be blank");
  },
  effects: { "tell how long it took": setResolutionDuration("created_at", "closed_at") },
  afterSave: addNotes,
});
