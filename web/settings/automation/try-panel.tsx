import { Alert } from "@mantine/core";
import IconAlertCircle from "@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleMinus from "@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { errorText } from "../../elements/error-text.ts";
import { Icon } from "../../elements/icon.tsx";
import { Link } from "../../elements/link.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel, fieldLabel, typeLabel } from "../../languages/labels.ts";
import { Timestamp } from "../../parts/timestamp.tsx";
import type { Reference } from "../../queries/reference.ts";
import { automationQueries } from "../../queries/settings/automation.ts";
import { readLink } from "../read-link.ts";
import type { RuleDraft } from "./editor/rule-draft.ts";
import type { RuleChange, RuleDryRun, RuleEffect, RuleOutcome, RuleRun } from "./rule-answers.ts";

type Props = {
  rule: Row;
  /** the type of the records for which it runs */
  type: string | null;
  record: number | null;
  onRecord(id: number | null): void;
  action: Action;
  trying: { isPending: boolean; error: Error | null };
  result: { result: RuleDryRun; of: RuleDraft } | null;
  /** false: the rule was changed since */
  isCurrent: boolean;
};

/** The effects that the rule in the editor would have on a record, and its recent runs. */
export function TryPanel({ rule, type, record, onRecord, action, trying, result, isCurrent }: Props) {
  return (
    <div className="try-panel">
      <header className="try-head">
        <h2>{t("ruleEditor.tryTitle")}</h2>
        <ActionButton action={action} primary loading={trying.isPending} />
      </header>
      {type === null ? (
        <p className="try-note">{t("ruleEditor.noType")}</p>
      ) : (
        <RecordChoice key={type} rule={rule} type={type} record={record} onRecord={onRecord} />
      )}
      <div aria-live="polite">
        {trying.error !== null && (
          <Alert color="red" variant="light" mt="sm">
            {errorText(trying.error)}
          </Alert>
        )}
        {result !== null && <Outcome result={result.result} isCurrent={isCurrent} />}
      </div>
      {rule.id !== 0 && <LastRuns id={rule.id} />}
    </div>
  );
}

type ChoiceProps = Pick<Props, "rule" | "record" | "onRecord"> & { type: string };

/** Initially the record for which the rule ran last, else the newest one. */
function RecordChoice({ rule, type, record, onRecord }: ChoiceProps) {
  const { api } = useCurrentAccount();
  const [chosen, setChosen] = useState<Reference | null>(record === null ? null : { id: record });
  const collection = findType(type)?.collection ?? "";
  const { data } = useQuery(automationQueries.recordToTry(api, rule.id, { name: type, collection }));
  const first = readLink(data);
  const firstId = first?.id ?? null;
  useEffect(() => {
    if (firstId !== null && record === null) onRecord(firstId);
  }, [firstId, record, onRecord]);
  return (
    <ReferencePicker
      to={type}
      aria-label={t("ruleEditor.record")}
      // The panel of a phone is mounted again each time: only the record's id is known then.
      value={chosen === null || chosen.id === firstId ? first : chosen}
      required
      onChange={(value) => {
        setChosen(value);
        onRecord(value === null ? null : Number(value.id));
      }}
    />
  );
}

const outcomeIcons = {
  done: { icon: IconCircleCheck, tone: "green" },
  "not met": { icon: IconCircleMinus, tone: "grey" },
  failed: { icon: IconAlertCircle, tone: "red" },
  dropped: { icon: IconCircleMinus, tone: "yellow" },
} as const;

export const OutcomeIcon = ({ outcome }: { outcome: RuleOutcome }) => {
  const { icon, tone } = outcomeIcons[outcome];
  return <Icon of={icon} size={18} color={`var(--${tone})`} />;
};

function Outcome({ result, isCurrent }: { result: RuleDryRun; isCurrent: boolean }) {
  const { outcome, expressions, condition, error, milliseconds, changes, effects } = result;
  return (
    <div data-stale={isCurrent ? undefined : true} className="try-result">
      <section className="try-card">
        <header>
          <OutcomeIcon outcome={outcome} />
          <b>{t(`ruleEditor.would.${outcome}`)}</b>
          <span className="try-took">{t("ruleEditor.undone", { milliseconds })}</span>
        </header>
        {!isCurrent && <p className="try-note">{t("ruleEditor.stale")}</p>}
        {error !== null && <p className="try-error">{error.message}</p>}
        <dl>
          {expressions.map(({ name, value, error: wrong }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={wrong === null ? undefined : "try-error"}>
                {wrong ?? (value === "" ? t("rules.blank") : value)}
              </dd>
            </div>
          ))}
          {condition !== null && (
            <div>
              <dt>{t("ruleEditor.if")}</dt>
              <dd>
                <b data-met={condition === "true"}>{condition}</b>
              </dd>
            </div>
          )}
        </dl>
      </section>
      {outcome === "done" && (
        <>
          <h3>{t("ruleEditor.changes")}</h3>
          <section className="try-card">
            {changes.length === 0 && effects.length === 0 && <p className="try-note">{t("ruleEditor.noChanges")}</p>}
            {changes.map((change) => (
              <ChangeRows key={`${change.record_type} ${change.record_id} ${change.action}`} change={change} />
            ))}
            {effects.map((effect, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
              <EffectRow key={index} effect={effect} />
            ))}
          </section>
        </>
      )}
    </div>
  );
}

const ChangeRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="try-change">
    <span>{label}</span>
    <span className="wrap">{children}</span>
  </div>
);

function ChangeRows({ change }: { change: RuleChange }) {
  const type = findType(change.record_type);
  const show = (name: string, value: string) => {
    const field = type?.fields[name];
    if (value === "") return t("ruleEditor.empty");
    return field?.kind === "enum" ? choiceLabel(field.enumeration, value) : value;
  };
  return (
    <>
      <div className="try-record">
        {change.action === "create" ? t("ruleEditor.created") : ""} {type === undefined ? "" : typeLabel(type)}{" "}
        {change.record_id > 0 ? change.record_id : ""} {change.name}
      </div>
      {change.fields.map(({ field, before, after }) => (
        <ChangeRow key={field} label={fieldLabel(field)}>
          {change.action !== "create" && (
            <>
              <s>{show(field, before)}</s> <span aria-hidden="true">→</span>{" "}
            </>
          )}
          <b>{show(field, after)}</b>
        </ChangeRow>
      ))}
    </>
  );
}

function EffectRow({ effect }: { effect: RuleEffect }) {
  switch (effect.kind) {
    case "note":
      return <ChangeRow label={fieldLabel(effect.internal ? "internal_note" : "note")}>{effect.text}</ChangeRow>;
    case "email":
      return (
        <ChangeRow label={t("ruleEditor.email")}>
          {effect.to.join(", ") || t("ruleEditor.nobody")}: {effect.subject} <i>{t("ruleEditor.notSent")}</i>
        </ChangeRow>
      );
    case "webhook":
      return (
        <ChangeRow label={t("ruleEditor.webhook")}>
          {effect.name} <code>{JSON.stringify(effect.payload)}</code> <i>{t("ruleEditor.notSent")}</i>
        </ChangeRow>
      );
    case "start":
      return (
        <ChangeRow label={t("ruleEditor.later")}>
          {effect.rule}, <Timestamp at={effect.at} />
        </ChangeRow>
      );
  }
}

function LastRuns({ id }: { id: number }) {
  const { account, api } = useCurrentAccount();
  const { data } = useQuery(automationQueries.lastRuns(api, id));
  return (
    <section>
      <header className="try-head">
        <h3>{t("ruleEditor.lastRuns")}</h3>
        <Link to={settingsPaths.ruleRuns(account.id, { rule_id: String(id) })}>{t("ruleEditor.allRuns")}</Link>
      </header>
      <div className="try-card">
        {data?.length === 0 && <p className="try-note">{t("rules.noRuns")}</p>}
        {data?.slice(0, 5).map((run) => (
          <div key={run.id} className="try-run">
            <OutcomeIcon outcome={run.outcome} />
            <RecordOfRun run={run} />
            <span className="try-run-text">{run.error ?? t(`rules.outcome.${run.outcome}`)}</span>
            <Timestamp at={run.started_at} />
          </div>
        ))}
      </div>
    </section>
  );
}

export function RecordOfRun({ run }: { run: RuleRun }) {
  const { account } = useCurrentAccount();
  const type = findType(run.record_type);
  return type === undefined ? (
    <span>{run.record_id}</span>
  ) : (
    <Link to={paths.record(account.id, type, run.record_id)}>{String(run.record_id)}</Link>
  );
}
