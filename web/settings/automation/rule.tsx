import { Alert, Button, Switch } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconListDetails from "@tabler/icons-react/dist/esm/icons/IconListDetails.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import { useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { automationRule } from "../../../records/work/automation-rule.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError, type Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { findType } from "../../base/record-types.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { errorText } from "../../elements/error-text.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel } from "../../languages/labels.ts";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { SidePanel, useRoomForPanel } from "../../parts/side-panel.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { useList, useRecord } from "../../queries/index.ts";
import { DraftNote } from "../draft-note.tsx";
import { useAddressSearch } from "../use-address-search.ts";
import { genericTypes } from "./editor/rule-draft.ts";
import { buildRuleFromRecord } from "./editor/rule-from-record.ts";
import { RuleFields } from "./rule-fields.tsx";
import { RuleHistory } from "./rule-history.tsx";
import { TryPanel } from "./try-panel.tsx";
import { type RuleEditor, useRuleChanges, useRuleEditor } from "./use-rule-editor.ts";
import "../../styles/settings/rules.css";

/** One rule: its texts with their errors, a dry run on a record, and its run history. */
export function RuleScreen({ id }: { id: string }) {
  const { data, error, refetch } = useRecord(automationRule, id);
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={automationRule} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  if (data === undefined) return <SkeletonRows rows={10} />;
  return <RulePage key={data.id} row={data} />;
}

export function NewRuleScreen() {
  const [{ about = "request", from }] = useAddressSearch("about", "from");
  const generic = genericTypes.includes(about) ? about : "request";
  const type = findType(generic);
  if (from !== undefined && type !== undefined) return <RuleFromRecord type={type} id={from} />;
  return <RulePage row={{ id: 0, name: "", trigger: "on status update", generic }} />;
}

/** A new rule based on a record. */
function RuleFromRecord({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  if (data === undefined) return <SkeletonRows rows={10} />;
  return <RulePage row={{ id: 0, ...buildRuleFromRecord(type, data) }} like={data.id} />;
}

/** `like`: the record on which the new rule is based, and which the dry run uses */
function RulePage({ row, like = null }: { row: Row; like?: number | null }) {
  const { account, may } = useCurrentAccount();
  const editor = useRuleEditor(row, like);
  const changes = useRuleChanges(row, editor);
  const [isTrying, setTrying] = useState(false);
  const [history, setHistory] = useState(false);
  const mayWrite = may(row.id === 0 ? "create" : "update", automationRule);
  // On a phone a rule can only be read and switched on or off.
  const writable = !useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) && mayWrite;
  const { draft, form, record, tried, trying, type } = editor;
  const runTry = () => {
    if (record === null) return;
    setTrying(true);
    trying.mutate({ of: draft, forRecord: record });
  };
  const actions = buildRuleActions({
    ...{ row, account: account.id, writable },
    mayTry: type !== null,
    save: () => changes.saving.mutate(),
    duplicate: () => changes.duplicating.mutate(),
    runTry,
    showHistory: () => setHistory(true),
  });
  useActions(Object.values(actions));
  return (
    <div className="page rule-page">
      <RuleBar {...{ row, editor, changes, actions, mayWrite }} onTry={() => setTrying(true)} />
      <div className="rule-columns">
        <div className="rule-main">
          {changes.saving.error !== null && (
            <Alert color="red" variant="light" role="alert" mb="md">
              {errorText(changes.saving.error)}
            </Alert>
          )}
          <DraftNote draft={form.draft} isOutdated={form.isOutdated} />
          <RuleFields row={row} editor={editor} writable={writable} />
        </div>
        <SidePanel label={t("ruleEditor.tryTitle")} opened={isTrying} onClose={() => setTrying(false)} width={360}>
          <TryPanel
            rule={row}
            type={type}
            record={record}
            onRecord={editor.setRecord}
            action={actions.try}
            trying={trying}
            result={tried}
            isCurrent={tried !== null && tried.of === draft}
          />
        </SidePanel>
      </div>
      {history && <RuleHistory id={row.id} draft={draft} onClose={() => setHistory(false)} />}
      <LeaveGuard dirty={changes.dirty} onLeave={form.draft.remove} />
    </div>
  );
}

type ActionOptions = {
  row: Row;
  account: string;
  writable: boolean;
  mayTry: boolean;
  save(): void;
  duplicate(): void;
  runTry(): void;
  showHistory(): void;
};

function buildRuleActions({ row, account, writable, mayTry, ...does }: ActionOptions) {
  const isNew = row.id === 0;
  return {
    save: {
      ...{ id: "rule.save", group: "settings", name: t("form.save"), keys: "mod+s", icon: IconDeviceFloppy },
      ...{ when: writable, run: does.save },
    },
    try: {
      ...{ id: "rule.try", group: "settings", name: t("ruleEditor.run"), keys: "mod+enter", icon: IconPlayerPlay },
      ...{ when: mayTry, run: does.runTry },
    },
    history: {
      ...{ id: "rule.history", group: "settings", name: t("ruleEditor.history"), icon: IconHistory },
      ...{ when: !isNew, run: does.showHistory },
    },
    duplicate: {
      ...{ id: "rule.duplicate", group: "settings", name: t("ruleEditor.duplicate"), icon: IconCopy },
      ...{ when: !isNew && writable, run: does.duplicate },
    },
    log: {
      ...{ id: "rule.log", group: "settings", name: t("ruleEditor.runLog"), icon: IconListDetails },
      ...{ when: !isNew, run: () => navigateTo(settingsPaths.ruleRuns(account, { rule_id: String(row.id) })) },
    },
  } as const satisfies Record<string, Action>;
}

type BarProps = {
  row: Row;
  editor: RuleEditor;
  changes: ReturnType<typeof useRuleChanges>;
  actions: ReturnType<typeof buildRuleActions>;
  mayWrite: boolean;
  onTry(): void;
};

function RuleBar({ row, editor: { draft, type }, changes: { saving, switching }, actions, mayWrite, onTry }: BarProps) {
  const { account } = useCurrentAccount();
  const hasRoom = useRoomForPanel();
  const isNew = row.id === 0;
  const records = type === null ? undefined : findType(type);
  const rules = paths.rules(account.id);
  return (
    <PageBar
      title={isNew ? t("rules.new") : String(row.name)}
      trail={[
        { label: t("ruleEditor.title"), path: rules },
        ...(records === undefined
          ? []
          : [{ label: collectionLabel(records), path: `${rules}?scope=for_${records.collection}` }]),
      ]}
      actions={
        <>
          {!isNew && draft.generic !== null && hasRoom && <RunOrder rule={row} type={draft.generic} />}
          {!hasRoom && (
            <Button variant="default" size="sm" onClick={onTry}>
              {t("rules.try")}
            </Button>
          )}
          <ActionButton action={actions.duplicate} compact />
          <ActionButton action={actions.history} compact />
          <ActionButton action={actions.log} bare />
          <ActionButton action={actions.save} primary loading={saving.isPending} />
        </>
      }
    >
      {!isNew && (
        <Switch
          label={row.disabled === true ? t("ruleEditor.off") : t("ruleEditor.on")}
          aria-label={t("ruleEditor.enabled")}
          checked={row.disabled !== true}
          disabled={!mayWrite || switching.isPending}
          onChange={({ currentTarget }) => switching.mutate(!currentTarget.checked)}
        />
      )}
    </PageBar>
  );
}

/** "Runs 4th of 11": the position of a rule among those for all records of the type. */
function RunOrder({ rule, type }: { rule: Row; type: string }) {
  const collection = findType(type)?.collection ?? "";
  const fields = { fields: "id,position,generic", sort: "position", per_page: "100" };
  const { data } = useList(`/automation_rules/for_${collection}`, fields);
  const rows = data?.rows.filter(({ generic }) => generic === type) ?? [];
  const place = rows.findIndex(({ id }) => id === rule.id);
  if (place < 0) return null;
  return <span className="rule-order">{t("ruleEditor.order", { place: place + 1, count: rows.length })}</span>;
}
