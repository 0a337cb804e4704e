import type { request } from "../../../records/work/request.ts";
import { parseMoment } from "../../business-time/moment.ts";
import type { Change } from "../../engine/rules.ts";
import { formatMomentOrNull } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";

/** R34: a new request takes the duration of its template; a moment that a caller sets lies in the future. */
export async function settleDesiredCompletion(change: Change<typeof request>): Promise<void> {
  const { tx, account, before, after, changed, by, problem } = change;
  if (before === null && after.desired_completion_at === null && after.template !== null) {
    const agreements = await loadAgreements(tx, account);
    const template = agreements.templates.get(after.template);
    if (template !== undefined && template.desired_completion !== null) {
      const hours = agreements.activeTimeFor(template.support_hours, template.time_zone);
      const moment = hours.addMinutes(parseMoment(after.created_at), template.desired_completion);
      after.desired_completion_at = formatMomentOrNull(moment);
    }
  }
  const desired = after.desired_completion_at;
  if (changed.has("desired_completion_at") && desired !== null && parseMoment(desired) < by.now.getTime())
    problem("desired_completion_at", "must be in the future");
}
