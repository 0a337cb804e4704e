import { Button, Group, NumberInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { automationRule } from "../../../records/work/automation-rule.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { Link } from "../../elements/link.tsx";
import { ReferencePicker } from "../../fields/pickers/reference-picker.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { typeLabel } from "../../languages/labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { automationQueries, type RunFilter } from "../../queries/settings/automation.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { genericTypes } from "./editor/rule-draft.ts";
import { describeTrigger } from "./editor/triggers.ts";
import type { RuleOutcome, RuleRun } from "./rule-answers.ts";
import { OutcomeIcon, RecordOfRun } from "./try-panel.tsx";
import "../../styles/settings/rules.css";

const outcomes: readonly RuleOutcome[] = ["done", "not met", "failed", "dropped"];
const types = [...genericTypes, "project_task", "project"];

/** The runs of rules, newest first: by rule, by record, by outcome, with every value. */
export function RunLogScreen() {
  const { account } = useCurrentAccount();
  const [filter, set] = useAddressSearch("rule_id", "outcome", "record_type", "record_id");
  return (
    <div className="page">
      <PageBar
        title={t("ruleEditor.runLog")}
        trail={[{ label: t("ruleEditor.title"), path: paths.rules(account.id) }]}
      />
      <div className="page-body run-log">
        <Group className="run-filters" align="flex-end">
          <ReferencePicker
            to="automation_rule"
            label={t("ruleEditor.rule")}
            value={filter.rule_id === undefined ? null : { id: Number(filter.rule_id) }}
            onChange={(value) => set({ rule_id: value === null ? "" : String(value.id) })}
          />
          <Select
            label={t("ruleEditor.outcome")}
            clearable
            placeholder={t("ruleEditor.any")}
            data={outcomes.map((value) => ({ value, label: t(`rules.outcome.${value}`) }))}
            value={filter.outcome ?? null}
            onChange={(outcome) => set({ outcome: outcome ?? "" })}
          />
          <RecordFilter key={`${filter.record_type} ${filter.record_id}`} filter={filter} onChange={set} />
        </Group>
        <Runs filter={filter} />
      </div>
    </div>
  );
}

/** A type and the number of one of its records; both or none. */
function RecordFilter({ filter, onChange }: { filter: RunFilter; onChange(members: RunFilter): void }) {
  const [type, setType] = useState(filter.record_type ?? "request");
  const apply = (id: string, of: string) =>
    onChange(id === "" ? { record_type: "", record_id: "" } : { record_type: of, record_id: id });
  return (
    <>
      <Select
        label={t("ruleEditor.recordType")}
        data={types.map((value) => ({ value, label: typeLabel({ name: value }) }))}
        value={type}
        allowDeselect={false}
        onChange={(value) => {
          setType(value ?? type);
          if (filter.record_id !== undefined) apply(filter.record_id, value ?? type);
        }}
      />
      <RecordNumber initial={filter.record_id ?? ""} onChange={(id) => apply(id, type)} />
    </>
  );
}

function RecordNumber({ initial, onChange }: { initial: string; onChange(id: string): void }) {
  const [value, setValue] = useState(initial);
  return (
    <NumberInput
      label={t("rules.record")}
      value={value}
      min={1}
      max={2_147_483_647}
      allowDecimal={false}
      hideControls
      onChange={(next) => setValue(String(next))}
      onBlur={() => value !== initial && onChange(value)}
      onKeyDown={(event) => event.key === "Enter" && value !== initial && onChange(value)}
    />
  );
}

function Runs({ filter }: { filter: RunFilter }) {
  const { api } = useCurrentAccount();
  const [settled] = useDebouncedValue(filter, 100);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    automationQueries.runs(api, settled),
  );
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={automationRule} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={8} />;
  const runs = data.pages.flat();
  if (runs.length === 0) return <EmptyState title={t("ruleEditor.noRunsFound")} lead={t("ruleEditor.keptDays")} />;
  return (
    <>
      <div className="run-list">
        {runs.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </div>
      {hasNextPage && (
        <Button variant="default" m="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("rules.older")}
        </Button>
      )}
    </>
  );
}

function Run({ run }: { run: RuleRun }) {
  const { account } = useCurrentAccount();
  const type = findType(run.record_type);
  return (
    <details className="run">
      <summary>
        <OutcomeIcon outcome={run.outcome} />
        <b>{t(`rules.outcome.${run.outcome}`)}</b>
        <span className="run-rule">{run.rule_name}</span>
        <span className="run-about">
          {type === undefined ? run.record_type : typeLabel(type)} {run.record_id}
        </span>
        <span className="run-took">{t("webhooks.took", { milliseconds: run.milliseconds })}</span>
        <Timestamp at={run.started_at} />
      </summary>
      <div className="run-details">
        {run.error !== null && <p className="try-error wrap">{run.error}</p>}
        <p className="try-note">
          <Link to={settingsPaths.rule(account.id, run.rule_id)}>{run.rule_name}</Link> · <RecordOfRun run={run} /> ·{" "}
          {describeTrigger(run.trigger)} · {run.person?.name ?? ""}
        </p>
        <dl className="facts">
          {run.expressions.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="wrap">{value === "" ? t("rules.blank") : value}</dd>
            </div>
          ))}
          {run.condition !== null && (
            <div>
              <dt>{t("rules.condition")}</dt>
              <dd>{run.condition}</dd>
            </div>
          )}
        </dl>
        <ol>
          {run.actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
            <li key={index} className="wrap">
              {action}
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}
