import { parseMoment } from "../../business-time/moment.ts";
import type { Change } from "../../engine/rules.ts";
import { formatMomentOrNull } from "../sla/affected-sla-rows.ts";
import { loadAgreements } from "../sla/agreement-cache.ts";

// When a request is wished to be done. R34

/** A new request gets the one of its template; nobody wishes for the past. */
export async function settleDesiredCompletion(change: Change): Promise<void> {
  const { tx, account, before, after, changed, by, problem } = change;
  if (before === null && after.desired_completion_at == null && after.template != null) {
    const agreements = await loadAgreements(tx, account);
    const { desired_completion, support_hours, time_zone } = agreements.templates.get(after.template as number) ?? {};
    if (desired_completion != null)
      after.desired_completion_at = formatMomentOrNull(
        agreements
          .activeTimeFor(support_hours ?? null, time_zone ?? null)
          .addMinutes(parseMoment(String(after.created_at)), desired_completion),
      );
  }
  const desired = after.desired_completion_at as string | null;
  if (changed.has("desired_completion_at") && desired !== null && parseMoment(desired) < by.now.getTime())
    problem("desired_completion_at", "must be in the future");
}
