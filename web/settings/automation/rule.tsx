import { Alert, Button, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import IconBolt from "@tabler/icons-react/dist/esm/icons/IconBolt.mjs";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import IconDeviceFloppy from "@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs";
import IconGitBranch from "@tabler/icons-react/dist/esm/icons/IconGitBranch.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconListDetails from "@tabler/icons-react/dist/esm/icons/IconListDetails.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconRepeat from "@tabler/icons-react/dist/esm/icons/IconRepeat.mjs";
import IconVariable from "@tabler/icons-react/dist/esm/icons/IconVariable.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { automationRule } from "../../../records/work/automation-rule.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../actions/action-button.tsx";
import { useActions } from "../../actions/registry.ts";
import { ApiError, type Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { Select } from "../../fields/pickers/select.tsx";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { collectionLabel, lowerFirst } from "../../languages/labels.ts";
import { errorText } from "../../parts/error-text.ts";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { Icon, type IconComponent } from "../../parts/icon.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { SidePanel, useRoomForPanel } from "../../parts/side-panel.tsx";
import { ErrorPanel } from "../../parts/states/error-panel.tsx";
import { Forbidden } from "../../parts/states/forbidden.tsx";
import { SkeletonRows } from "../../parts/states/skeleton-rows.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useList, useRecord } from "../../queries/index.ts";
import { findType } from "../../record-types.ts";
import type { RuleCheck, RuleDryRun, RuleLoop } from "../../wire.ts";
import { DraftNote } from "../draft-note.tsx";
import { settingsPaths } from "../settings-paths.ts";
import { addLabels } from "./editor/action-labels.ts";
import { CodeArea, type LineValue } from "./editor/code-area.tsx";
import {
  genericTypes,
  getRecordType,
  pickLinks,
  placeMistake,
  type RuleDraft,
  type RulePart,
  toDraft,
  toMembers,
} from "./editor/rule-draft.ts";
import { buildRuleFromRecord } from "./editor/rule-from-record.ts";
import { type KnownNames, listNames } from "./editor/rule-syntax.ts";
import { describeTrigger, listTriggers } from "./editor/triggers.ts";
import type { CompletionSource } from "./editor/use-completion.ts";
import { RuleHistory } from "./rule-history.tsx";
import { TryPanel } from "./try-panel.tsx";
import "../../styles/settings/rules.css";

/** One rule: its texts with what is wrong in them, a try on a record, and what it did so far. */
export function RuleScreen({ id }: { id: string }) {
  const { data, error, refetch } = useRecord(automationRule, id);
  if (error instanceof ApiError && error.status === 403) return <Forbidden type={automationRule} />;
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  if (data === undefined) return <SkeletonRows rows={10} />;
  return <RulePage key={data.id} row={data} />;
}

export function NewRuleScreen() {
  const { about = "request", from } = useSearch({ strict: false }) as { about?: string; from?: string };
  const generic = genericTypes.includes(about) ? about : "request";
  if (from !== undefined) return <RuleFromRecord type={findType(generic) as RecordType} id={from} />;
  return <RulePage row={{ id: 0, name: "", trigger: "on status update", generic }} />;
}

/** A new rule that begins as a record did. */
function RuleFromRecord({ type, id }: { type: RecordType; id: string }) {
  const { data, error, refetch } = useRecord(type, id);
  if (error !== null) return <ErrorPanel error={error} retry={() => void refetch()} level={1} />;
  if (data === undefined) return <SkeletonRows rows={10} />;
  return <RulePage row={{ id: 0, ...buildRuleFromRecord(type, data) }} like={data.id} />;
}

/** Everything that a member of the texts can begin with. */
function collectFields(typeName: string | null): ReadonlySet<string> {
  const type = typeName === null ? undefined : findType(typeName);
  if (type === undefined) return new Set();
  return new Set([type.fields, type.links, type.children, type.lists].flatMap((table) => Object.keys(table)));
}

/** `like`: the record that a new rule was made from, which it is tried with */
function RulePage({ row, like = null }: { row: Row; like?: number | null }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const isNew = row.id === 0;
  const saved = useMemo(() => toDraft(row), [row]);
  const form = useSettingsDraft(like === null ? `rule/${row.id}` : `rule/like/${like}`, saved);
  const { values: draft, change } = form;
  const [settled] = useDebouncedValue(draft, 300);
  const [record, setRecord] = useState<number | null>(like);
  const [tried, setTried] = useState<{ result: RuleDryRun; of: RuleDraft } | null>(null);
  const [side, setSide] = useState(false);
  const [history, setHistory] = useState(false);
  const hasRoom = useRoomForPanel();
  const dirty = useRef(false);
  const mayWrite = may(isNew ? "create" : "update", automationRule);
  // On a phone a rule is read and switched.
  const writable = !useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) && mayWrite;
  const links = useMemo(() => pickLinks(row), [row]);
  const type = getRecordType(draft, links);
  const known: KnownNames = useMemo(
    () => ({ fields: collectFields(type), names: new Set(listNames(draft.expressions).keys()) }),
    [type, draft.expressions],
  );

  useEffect(() => {
    dirty.current = !form.draft.isEmpty;
  }, [form.draft.isEmpty]);
  const buildBody = (of: RuleDraft) => ({ id: row.id, ...links, ...toMembers(of) });
  const { data: checked } = useQuery({
    queryKey: [account.id, "rule check", row.id, settled],
    queryFn: () => api.ask<RuleCheck>("/automation_rule_check", buildBody(settled)),
    placeholderData: (before) => before,
  });
  const problem = checked?.problem ?? null;

  const saving = useMutation({
    mutationFn: () =>
      isNew
        ? api.create("/automation_rules", { ...toMembers(draft) })
        : api.change(`/automation_rules/${row.id}`, toMembers(draft)),
    onSuccess: async ({ id }) => {
      dirty.current = false;
      if (isNew) navigateTo(settingsPaths.rule(account.id, id), true);
      await queries.invalidateQueries({ queryKey: [account.id] });
      form.draft.remove();
      showMessage(t("record.saved"));
    },
  });
  const switching = useMutation({
    mutationFn: (disabled: boolean) => api.change(`/automation_rules/${row.id}`, { disabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [account.id] }),
  });
  /** A copy that is off, so that it does nothing before it was looked at. */
  const duplicating = useMutation({
    mutationFn: () =>
      api.create("/automation_rules", {
        ...{ ...links, ...toMembers(draft), disabled: true },
        name: t("ruleEditor.copyOf", { name: draft.name }).slice(0, 128),
      }),
    onSuccess: async (copy) => {
      await queries.invalidateQueries({ queryKey: [account.id, "list"] });
      navigateTo(settingsPaths.rule(account.id, copy.id));
    },
    onError: showError,
  });
  const trying = useMutation({
    mutationFn: async (of: RuleDraft) => ({
      result: await api.ask<RuleDryRun>("/automation_rule_dry_run", { ...buildBody(of), record_id: record }),
      of,
    }),
    onSuccess: setTried,
  });
  const runTry = () => {
    if (record === null) return;
    setSide(true);
    trying.mutate(draft);
  };

  const actions = {
    save: {
      ...{ id: "rule.save", group: "settings", name: t("form.save"), keys: "mod+s", icon: IconDeviceFloppy },
      ...{ when: writable, run: () => saving.mutate() },
    },
    try: {
      ...{ id: "rule.try", group: "settings", name: t("ruleEditor.run"), keys: "mod+enter", icon: IconPlayerPlay },
      ...{ when: type !== null, run: runTry },
    },
    history: {
      ...{ id: "rule.history", group: "settings", name: t("ruleEditor.history"), icon: IconHistory },
      ...{ when: !isNew, run: () => setHistory(true) },
    },
    duplicate: {
      ...{ id: "rule.duplicate", group: "settings", name: t("ruleEditor.duplicate"), icon: IconCopy },
      ...{ when: !isNew && writable, run: () => duplicating.mutate() },
    },
    log: {
      ...{ id: "rule.log", group: "settings", name: t("ruleEditor.runLog"), icon: IconListDetails },
      ...{ when: !isNew, run: () => navigateTo(settingsPaths.ruleRuns(account.id, { rule_id: String(row.id) })) },
    },
  } as const satisfies Record<string, Action>;
  useActions(Object.values(actions));

  const sourceOf = (part: RulePart): CompletionSource => ({
    part,
    record,
    buildRule: (text) => {
      const of = { ...draft, [part]: text };
      return {
        rule: buildBody(of),
        shifts: part === "actions" ? addLabels(text).shifts : text.split("\n").map(() => 0),
      };
    },
  });
  const values = useMemo(() => placeValues(draft, tried), [draft, tried]);
  const area = (part: RulePart, rows: number) => (
    <CodeArea
      label={t(`ruleEditor.text.${part}`)}
      value={draft[part]}
      rows={rows}
      onChange={(text) => change({ [part]: text })}
      readOnly={!writable}
      known={known}
      problem={placeMistake(draft, part, problem)}
      values={values[part]}
      source={sourceOf(part)}
    />
  );
  const records = type === null ? undefined : findType(type);
  return (
    <div className="page rule-page">
      <PageBar
        title={isNew ? t("rules.new") : String(row.name)}
        trail={[
          { label: t("ruleEditor.title"), path: paths.rules(account.id) },
          ...(records === undefined
            ? []
            : [
                { label: collectionLabel(records), path: `${paths.rules(account.id)}?scope=for_${records.collection}` },
              ]),
        ]}
        actions={
          <>
            {!isNew && draft.generic !== null && hasRoom && <RunOrder rule={row} type={draft.generic} />}
            {!hasRoom && (
              <Button variant="default" size="sm" onClick={() => setSide(true)}>
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
      <div className="rule-columns">
        <div className="rule-main">
          {saving.error !== null && (
            <Alert color="red" variant="light" role="alert" mb="md">
              {errorText(saving.error)}
            </Alert>
          )}
          <DraftNote draft={form.draft} isOutdated={form.isOutdated} />
          <div className="rule-head">
            <TextInput
              label={t("ruleEditor.name")}
              value={draft.name}
              maxLength={128}
              readOnly={!writable}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            {draft.generic === null ? (
              <AppliesTo row={row} />
            ) : (
              <Select
                label={t("ruleEditor.appliesTo")}
                data={genericTypes.map((name) => ({ value: name, label: describeAll(name) }))}
                value={draft.generic}
                allowDeselect={false}
                readOnly={!writable}
                onChange={(generic) => {
                  // It is tried with a record of its type: one of another type would answer nothing.
                  setRecord(null);
                  setTried(null);
                  change({ generic });
                }}
              />
            )}
          </div>
          <Section icon={IconBolt} title={t("ruleEditor.when")} lead={t("ruleEditor.whenLead")} inline>
            <Select
              aria-label={t("ruleEditor.when")}
              className="rule-trigger"
              data={listTriggers(type).map((value) => ({ value, label: describeTrigger(value) }))}
              value={draft.trigger}
              allowDeselect={false}
              searchable
              readOnly={!writable}
              onChange={(trigger) => change({ trigger: trigger ?? draft.trigger })}
            />
          </Section>
          <Section icon={IconVariable} title={t("ruleEditor.let")} lead={t("ruleEditor.letLead")}>
            {area("expressions", 2)}
          </Section>
          <Section icon={IconGitBranch} title={t("ruleEditor.if")} lead={t("ruleEditor.ifLead")}>
            {area("condition", 1)}
          </Section>
          <Section icon={IconPlayerPlay} title={t("ruleEditor.then")} lead={t("ruleEditor.thenLead")}>
            {area("actions", 2)}
            <div className="rule-snippets">
              {writable &&
                snippets.map(({ key, text }) => (
                  <Button
                    key={key}
                    size="xs"
                    variant="default"
                    leftSection={<Icon of={IconPlus} size={14} />}
                    onClick={() => change({ actions: addLine(draft.actions, text) })}
                  >
                    {t(`ruleEditor.add.${key}`)}
                  </Button>
                ))}
            </div>
            <Loops loops={problem === null ? (checked?.loops ?? []) : []} />
          </Section>
          <p className="rule-keys">{t("ruleEditor.keys")}</p>
        </div>
        <SidePanel label={t("ruleEditor.tryTitle")} opened={side} onClose={() => setSide(false)} width={360}>
          <TryPanel
            rule={row}
            type={type}
            record={record}
            onRecord={setRecord}
            action={actions.try}
            trying={trying}
            result={tried}
            isCurrent={tried !== null && tried.of === draft}
          />
        </SidePanel>
      </div>
      {history && <RuleHistory id={row.id} draft={draft} onClose={() => setHistory(false)} />}
      <LeaveGuard dirty={dirty} onLeave={form.draft.remove} />
    </div>
  );
}

/** What the buttons below the actions add. */
const snippets = [
  { key: "set", text: "set " },
  { key: "note", text: "add internal note ''" },
  { key: "wait", text: "after 1.day start ''" },
  { key: "email", text: "send email to  subject '' body ''" },
  { key: "webhook", text: "call webhook ''" },
] as const;

const addLine = (text: string, line: string): string => (text.trim() === "" ? line : `${text.trimEnd()}\n${line}`);

/** "Runs 4th of 11": the place of a rule among those for all records of the type. */
function RunOrder({ rule, type }: { rule: Row; type: string }) {
  const collection = findType(type)?.collection ?? "";
  const fields = { fields: "id,position,generic", sort: "position", per_page: "100" };
  const { data } = useList(`/automation_rules/for_${collection}`, fields);
  const rows = data?.rows.filter(({ generic }) => generic === type) ?? [];
  const place = rows.findIndex(({ id }) => id === rule.id);
  if (place < 0) return null;
  return <span className="rule-order">{t("ruleEditor.order", { place: place + 1, count: rows.length })}</span>;
}

const describeAll = (name: string): string => {
  const type = findType(name);
  return t("ruleEditor.allOf", { records: type === undefined ? name : lowerFirst(collectionLabel(type)) });
};

/** What a rule is linked to that does not run for all records of a type. */
function AppliesTo({ row }: { row: Row }) {
  const { account } = useCurrentAccount();
  const linked = Object.keys(pickLinks(row)).flatMap((name) => {
    const type = findType(name);
    const value = row[name] as { id: number; name?: string; subject?: string };
    return type === undefined ? [] : [{ type, value, label: value.subject ?? value.name ?? `#${value.id}` }];
  });
  return (
    <div>
      <span className="rule-label-text">{t("ruleEditor.appliesTo")}</span>
      <ul className="rule-links">
        {linked.length === 0 && <li>{t("rules.nothing")}</li>}
        {linked.map(({ type, value, label }) => (
          <li key={type.name}>
            <a {...withoutComponent(linkTo(paths.record(account.id, type, value.id)))}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const withoutComponent = ({ component: _, ...link }: ReturnType<typeof linkTo>) => link;

/** `inline`: its only field stands in the line of the title */
type SectionProps = { icon: IconComponent; title: string; lead: string; inline?: boolean; children: ReactNode };

const Section = ({ icon, title, lead, inline = false, children }: SectionProps) => (
  <section className="rule-section" data-inline={inline || undefined}>
    <span className="rule-section-icon">
      <Icon of={icon} size={18} />
    </span>
    <div className="rule-section-body">
      <h2>
        {title} {!inline && <small>{lead}</small>}
      </h2>
      {children}
      {inline && <small>{lead}</small>}
    </div>
  </section>
);

const Loops = ({ loops }: { loops: readonly RuleLoop[] }) =>
  loops.map(({ action, through }) => (
    <p key={action} className="rule-loop" role="status">
      <Icon of={IconRepeat} />
      {through.length === 0
        ? t("ruleEditor.loop", { action })
        : t("ruleEditor.loopThrough", { action, rules: through.join(", ") })}
    </p>
  ));

type PlacedValues = Record<RulePart, ReadonlyMap<number, LineValue>>;

/** The values of the last try, beside the lines they belong to. */
function placeValues(draft: RuleDraft, tried: { result: RuleDryRun; of: RuleDraft } | null): PlacedValues {
  const none: PlacedValues = { expressions: new Map(), condition: new Map(), actions: new Map() };
  if (tried === null) return none;
  const { result, of } = tried;
  const tone = of === draft ? "value" : "stale";
  const lines = listNames(draft.expressions);
  const expressions = result.expressions.flatMap(({ name, value, error }): [number, LineValue][] => {
    const line = lines.get(name);
    if (line === undefined) return [];
    return [[line, error === null ? { text: value, tone } : { text: error, tone: "problem" }]];
  });
  const condition: [number, LineValue][] =
    result.condition === null || draft.condition.trim() === "" ? [] : [[0, { text: result.condition, tone }]];
  return { ...none, expressions: new Map(expressions), condition: new Map(condition) };
}
