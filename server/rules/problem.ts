import type { Change, TypeRules } from "../engine/rules.ts";
import { addNotes } from "./notes.ts";
import { checkTimeSpent, enterTimeSpent } from "./time-spent.ts";
import { checkMember, checkPending, checkWaiting, isNewAssignment, ofMyTeams, tellHowLong } from "./work.ts";

// Reference: lifecycles.md section 12.

export const problemRules: TypeRules = {
  conditions: { "is assigned to one of my teams": ofMyTeams },
  async check(change: Change) {
    const { before, after, changed, problem } = change;
    after.status ??= "assigned";
    if (before !== null && before.team !== after.team && !changed.has("member")) after.member = null;
    await checkMember(change);
    checkWaiting(change);
    checkPending(change, { workflow_pending: "workflow", project_pending: "project" });
    if (after.known_error === true && after.workaround === null && after.knowledge_article === null)
      problem("known_error", "is not valid");
    checkTimeSpent(change);
  },
  derive: { "status is assigned or declined": isNewAssignment },
  effects: { "tell how long it took": tellHowLong("solved_at") },
  async saved(change) {
    await addNotes(change);
    await enterTimeSpent(change);
  },
};
