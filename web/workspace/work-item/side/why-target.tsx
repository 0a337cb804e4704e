import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconHelpCircle from "@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs";
import { type ReactNode, useState } from "react";
import { sla as slaType } from "../../../../records/configuration/sla.ts";
import { useCurrentAccount } from "../../../api/current-account.ts";
import type { Row } from "../../../api/index.ts";
import { formatMinutes, formatWithin } from "../../../base/moments.ts";
import { paths } from "../../../base/paths.ts";
import { Icon } from "../../../elements/icon.tsx";
import { Link } from "../../../elements/link.tsx";
import { tip } from "../../../elements/tip.tsx";
import { ianaZone } from "../../../fields/time/iana-zone.ts";
import { t } from "../../../languages/index.ts";
import { choiceLabel, fieldLabel, lowerFirst, shortChoiceLabel } from "../../../languages/labels.ts";
import { Dialog } from "../../../parts/dialogs/dialog.tsx";
import { useNow } from "../../../parts/now.ts";
import { SlaChip } from "../../../parts/work/sla-chip.tsx";
import type { TargetOutcome } from "../../../parts/work/target-outcome.ts";
import type { ExplainedTargets } from "../../../queries/record-page.ts";
import { getReferenceName } from "../../../queries/reference.ts";
import { buildRequestCase } from "../../services/case-address.ts";
import { impacts } from "../impacts.ts";

type Props = { row: Row; all: readonly ExplainedTargets[]; open: boolean; onToggle(): void };

/** Explains the target: agreement, impact, commitment, hours, start, stops. */
export function WhyTarget({ row, all, open, onToggle }: Props) {
  const { account } = useCurrentAccount();
  const [clocks, setClocks] = useState(false);
  const [first] = all;
  if (first === undefined) return null;
  const simulation = buildRequestCase(account.id, row, first);
  return (
    <div className="why">
      <button type="button" className="why-head" aria-expanded={open} onClick={onToggle}>
        <Icon of={IconHelpCircle} />
        <span>{t("request.why")}</span>
        <Icon of={open ? IconChevronUp : IconChevronDown} />
      </button>
      {open && (
        <>
          <Facts of={first} />
          <div className="why-more">
            <span className="quiet">{all.length > 1 ? t("request.why.others", { count: all.length - 1 }) : ""}</span>
            {simulation !== null && (
              <Link to={simulation} {...tip(t("offering.simulate"))}>
                {t("offering.simulateThis")}
              </Link>
            )}
            <button type="button" className="text-button" onClick={() => setClocks(true)}>
              {t("request.why.clocks")}
            </button>
          </div>
        </>
      )}
      {clocks && (
        <Dialog title={t("request.why.clocks")} size="lg" onClose={() => setClocks(false)}>
          <Clocks all={all} />
        </Dialog>
      )}
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="why-fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ of }: { of: ExplainedTargets }) {
  const { account } = useCurrentAccount();
  const now = useNow();
  const near = (at: string) => formatWithin(Date.parse(at), now);
  return (
    <dl className="why-facts">
      <Fact label={t("request.why.sla")}>
        <Link to={paths.record(account.id, slaType, of.sla.id)}>{getReferenceName(of.sla)}</Link>
      </Fact>
      <Fact label={t("request.why.because")}>{writeReason(of)}</Fact>
      <Fact label={t("request.why.offering")}>{writePromise(of)}</Fact>
      <Fact label={t("request.why.hours")}>
        {of.hours === null ? t("request.why.always") : getReferenceName(of.hours)}, {of.time_zone}
      </Fact>
      <Fact label={t("request.why.started")}>
        {near(of.started_at)}
        {of.changes.map((change) => (
          <span key={`${change.at} ${change.field}`} className="why-moved">
            {typeof (change.to ?? change.from) === "number"
              ? t("request.why.movedBy", { at: near(change.at), field: lowerFirst(fieldLabel(change.field)) })
              : t("request.why.moved", {
                  at: near(change.at),
                  from: nameValue(change.field, change.from),
                  to: nameValue(change.field, change.to),
                })}
          </span>
        ))}
      </Fact>
      <Fact label={t("request.why.stopped")}>
        {of.stopped.length === 0
          ? t("request.why.never")
          : of.stopped.map((stop) => (
              <span key={stop.from} className="why-moved">
                {stop.to === null
                  ? t("request.why.stoppedSince", { from: near(stop.from), reason: nameReason(stop.reason) })
                  : t("request.why.stoppedFor", {
                      from: near(stop.from),
                      minutes: formatMinutes(stop.minutes),
                      reason: nameReason(stop.reason),
                    })}
              </span>
            ))}
      </Fact>
    </dl>
  );
}

const reasons = ["waiting_for_customer", "provider_not_accountable", "completed", "sla_not_affected"] as const;
const nameReason = (reason: string): string => {
  const known = reasons.find((each) => each === reason);
  return known === undefined ? reason : t(`request.why.reason.${known}`);
};

function writeReason({ because, service_instance }: ExplainedTargets): string {
  const person = because.person?.name ?? "";
  if (because.coverage === "everybody") return t("request.why.everybody");
  if (because.coverage === "supplier")
    return t("request.why.supplier", { service: getReferenceName(service_instance) });
  if (because.via !== null) return t("request.why.via", { person, via: because.via.name });
  return `${person}: ${choiceLabel("sla.coverage", because.coverage)}`;
}

/** "Network Gold · top impact · 2 h 30" */
function writePromise({ offering, kind, resolution, response }: ExplainedTargets): string {
  const { maximum, maximum_in_days } =
    resolution.maximum !== null || resolution.maximum_in_days ? resolution : response;
  const time =
    maximum !== null
      ? formatMinutes(maximum)
      : maximum_in_days
        ? t("request.why.days", { count: maximum_in_days })
        : t("sla.bestEffort");
  return [offering === null ? "" : getReferenceName(offering), kind === null ? "" : nameKind(kind), time]
    .filter((part) => part !== "")
    .join(" · ");
}

function nameKind(kind: string): string {
  if (kind === "standard_service_request") return t("request.why.template");
  if (impacts.includes(kind)) return t("request.why.impact", { impact: shortChoiceLabel("request.impact", kind) });
  return shortChoiceLabel("request.category", kind);
}

const nameValue = (field: string, value: unknown): string =>
  value === null || value === undefined
    ? t("request.none")
    : field === "impact" || field === "category"
      ? shortChoiceLabel(`request.${field}`, String(value))
      : String(value);

/** The outcome of a clock that has ended. */
const judgeClock = ({ resolution: { actual_at, met } }: ExplainedTargets): TargetOutcome | null =>
  actual_at === null || met === null ? null : met ? "met" : "missed";

/** Every affected agreement with its clocks, explained in sentences. */
export function Clocks({ all }: { all: readonly ExplainedTargets[] }) {
  if (all.length === 0) return <p className="quiet">{t("request.why.none")}</p>;
  return (
    <div className="clocks">
      {all.map((each) => (
        <section key={each.sla.id} className="clock">
          <h3>
            {getReferenceName(each.sla)}{" "}
            <SlaChip target={each.next_target_at} zone={ianaZone(each.time_zone)} outcome={judgeClock(each)} />
          </h3>
          <ol>
            {each.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
