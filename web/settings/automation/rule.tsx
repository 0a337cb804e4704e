import { Alert, Box, Button, Group, NumberInput, Stack, Tabs } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { automationLinks, automationRule } from "../../../records/work/automation-rule.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { errorText } from "../../parts/error-text.ts";
import { LeaveGuard } from "../../parts/forms/leave-guard.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useRecord } from "../../queries/index.ts";
import type { RuleDryRun, RuleMistake } from "../../wire.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { OutcomeBadge, RuleRuns, RunDetailList } from "./rule-runs.tsx";

const texts = ["expressions", "condition", "actions"] as const;
type RuleTextName = (typeof texts)[number];
type Draft = Record<RuleTextName, string>;

/** One rule: its texts with what is wrong in them, a try on a record, and what it did so far. */
export function RuleScreen({ id }: { id: string }) {
  const { data, error, refetch } = useRecord(automationRule, id);
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return <Rule key={data.id} row={data} />;
}

const buildDraft = (row: Row): Draft =>
  Object.fromEntries(texts.map((name) => [name, String(row[name] ?? "")])) as Draft;

/** What the server must know of a rule beside its texts: what it is about. */
const pickLinks = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    automationLinks.flatMap((name) => {
      const value = row[name] as { id: number } | string | null | undefined;
      return value == null ? [] : [[name, typeof value === "object" ? value.id : value]];
    }),
  );

function Rule({ row }: { row: Row }) {
  const { account, api, may } = useCurrentAccount();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => buildDraft(row));
  const [settled] = useDebouncedValue(draft, 300);
  const dirty = useRef(false);
  const about = { ...pickLinks(row), name: row.name, trigger: row.trigger };
  const { data: checked } = useQuery({
    queryKey: [account.id, "rule check", row.id, settled],
    queryFn: () => api.ask<{ problem: RuleMistake | null }>("/automation_rule_check", { ...about, ...settled }),
    placeholderData: (before) => before,
  });
  const mistake = checked?.problem ?? null;
  const saving = useMutation({
    mutationFn: () => api.change(`/automation_rules/${row.id}`, draft),
    onSuccess: async () => {
      dirty.current = false;
      await queries.invalidateQueries({ queryKey: [account.id] });
      showMessage(t("record.saved"));
    },
  });
  const rows: Record<RuleTextName, number> = { expressions: 6, condition: 1, actions: 4 };
  return (
    <div>
      <PageHeader
        title={String(row.name)}
        lead={String(row.trigger)}
        trail={[{ label: t("rules.title"), path: paths.rules(account.id) }]}
        actions={
          <Button variant="default" {...linkTo(paths.edit(account.id, automationRule, row.id))}>
            {t("rules.settings")}
          </Button>
        }
      />
      <Tabs defaultValue="editor" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="editor">{t("rules.editor")}</Tabs.Tab>
          <Tabs.Tab value="try">{t("rules.try")}</Tabs.Tab>
          <Tabs.Tab value="runs">{t("rules.runs")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="editor">
          <Box className="card" p={{ base: "md", sm: "lg" }}>
            <Stack gap="lg">
              {saving.error !== null && (
                <Alert color="red" variant="light" role="alert">
                  {errorText(saving.error)}
                </Alert>
              )}
              {texts.map((name) => (
                <RuleEditor
                  key={name}
                  label={fieldLabel(name)}
                  description={t(`rules.about.${name}`)}
                  value={draft[name]}
                  rows={rows[name]}
                  onChange={(value) => {
                    dirty.current = true;
                    setDraft((before) => ({ ...before, [name]: value }));
                  }}
                  error={mistake?.field === name ? mistake.message : undefined}
                  line={mistake?.field === name ? mistake.line : undefined}
                />
              ))}
              <Group>
                <Button
                  onClick={() => saving.mutate()}
                  loading={saving.isPending}
                  disabled={!may("update", automationRule)}
                >
                  {t("form.save")}
                </Button>
              </Group>
            </Stack>
          </Box>
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <DryRun rule={{ ...about, ...draft }} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Box className="card" p="md">
            <RuleRuns id={row.id} />
          </Box>
        </Tabs.Panel>
      </Tabs>
      <LeaveGuard dirty={dirty} />
    </div>
  );
}

/** What the rule, as it stands in the editor, would do for a record. */
function DryRun({ rule }: { rule: Record<string, unknown> }) {
  const { api } = useCurrentAccount();
  const [record, setRecord] = useState<number | "">("");
  const trying = useMutation({
    mutationFn: () => api.ask<RuleDryRun>("/automation_rule_dry_run", { ...rule, record_id: record }),
  });
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          trying.mutate();
        }}
      >
        <Group align="flex-end">
          <NumberInput
            label={t("rules.record")}
            description={t("rules.recordLead")}
            value={record}
            onChange={(value) => setRecord(typeof value === "number" ? value : "")}
            min={1}
            allowDecimal={false}
            hideControls
          />
          <Button type="submit" loading={trying.isPending} disabled={record === ""}>
            {t("rules.try")}
          </Button>
        </Group>
      </form>
      <div aria-live="polite">
        {trying.error !== null && (
          <Alert color="red" variant="light" mt="md">
            {errorText(trying.error)}
          </Alert>
        )}
        {trying.data !== undefined && (
          <Stack mt="md" align="flex-start">
            <OutcomeBadge outcome={trying.data.outcome} />
            <RunDetailList {...trying.data} error={trying.data.error?.message ?? null} />
          </Stack>
        )}
      </div>
    </Box>
  );
}
