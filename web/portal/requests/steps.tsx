import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import type { RequestProgress } from "../../../records/answers/portal.ts";
import { daysAway, formatAhead, formatClock } from "../../base/moments.ts";
import { Icon } from "../../elements/icon.tsx";
import { useNow } from "../../parts/now.ts";
import { dayAndTime, plainState, stateWords } from "../parts/plain-status.tsx";
import type { PortalRequest } from "../queries.ts";
import { t } from "../words.ts";

type StepState = "done" | "current" | "ahead";

/** The progress of the request: 0 received, 1 in progress, 2 finished. */
function currentStep(request: PortalRequest, approvers: readonly string[]): 0 | 1 | 2 {
  const state = plainState(request, approvers);
  if (state === "solved" || state === "closed") return 2;
  return state === "received" ? 0 : 1;
}

/** Three steps with their times. */
export function Steps({ request, progress }: { request: PortalRequest; progress: RequestProgress | undefined }) {
  const now = useNow();
  const approvers = progress?.approvers ?? [];
  const at = currentStep(request, approvers);
  const target = request.requester_resolution_target_at;
  const name = request.member?.name.split(" ")[0] ?? request.team?.name ?? "";
  const since = progress?.working_at ?? null;
  const steps: { label: string; detail: string; state: StepState }[] = [
    {
      label: t("state.received"),
      detail: formatAhead(Date.parse(request.created_at), now),
      state: at > 0 ? "done" : "current",
    },
    {
      label: at === 1 ? stateWords(request, now, approvers) : t("state.working"),
      detail: at === 0 ? "" : describeWork(name, since, now),
      state: at === 1 ? "current" : at > 1 ? "done" : "ahead",
    },
    {
      label: at === 2 ? stateWords(request, now) : t("state.solved"),
      detail:
        request.completed_at !== null
          ? formatAhead(Date.parse(request.completed_at), now)
          : target !== null && Date.parse(target) > now
            ? t("expected.small", { when: dayAndTime(Date.parse(target), now) })
            : "",
      state: at === 2 ? "done" : "ahead",
    },
  ];
  return (
    <ol className="steps panel" aria-label={t("request.steps")}>
      {steps.map(({ label, detail, state }) => (
        <li key={label} data-state={state} aria-current={state === "current" ? "step" : undefined}>
          <span className="step-mark" aria-hidden="true">
            {state === "done" && <Icon of={IconCheck} size={14} />}
          </span>
          <b>{label}</b>
          <span className="quiet">{detail}</span>
        </li>
      ))}
    </ol>
  );
}

function describeWork(name: string, since: string | null, now: number): string {
  if (since === null) return name;
  const at = Date.parse(since);
  const when = daysAway(at, now) === 0 ? formatClock(at) : formatAhead(at, now);
  return name === "" ? t("request.since", { when }) : t("request.sinceBy", { name, when });
}

export function PhoneSteps({ request, approvers }: { request: PortalRequest; approvers: readonly string[] }) {
  const at = currentStep(request, approvers);
  return (
    <span className="phone-steps" aria-hidden="true">
      {[0, 1, 2].map((step) => (
        <span key={step} data-state={step < at || at === 2 ? "done" : step === at ? "current" : "ahead"} />
      ))}
    </span>
  );
}
