import { ActionIcon, Box, Button, Group, Switch, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, type KeyboardEvent, useState } from "react";
import { automationLinks, automationRule } from "../../../records/work/automation-rule.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { linkTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { findEntryByCollection } from "../../base/type-index.ts";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { Select } from "../../fields/pickers/select.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel, typeLabel } from "../../languages/labels.ts";
import { partLabel } from "../../languages/page-labels.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageBar } from "../../parts/page-bar.tsx";
import { useList } from "../../queries/index.ts";
import { listQueries } from "../../queries/records.ts";
import { automationQueries } from "../../queries/settings/automation.ts";
import { readLink } from "../read-link.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { describeTrigger } from "./editor/triggers.ts";
import type { RuleStatistics } from "./rule-answers.ts";
import "../../styles/settings/rules.css";

const scopes = Object.keys(automationRule.views).filter((view) => view.startsWith("for_"));
const fields = ["id", "name", "trigger", "position", "disabled", ...automationLinks].join(",");

const nameScope = (collection: string): string => partLabel(collection, findEntryByCollection(collection));

/** The records to which a rule is linked; rules with the same links have an order. */
function describeLinks(row: Row): string {
  const links = automationLinks.flatMap((name) => {
    const value = row[name];
    if (typeof value === "string") return [t("rules.all", { records: typeLabel({ name: value }) })];
    const link = readLink(value);
    return link === null ? [] : [`${fieldLabel(name)} ${link.id}: ${link.subject ?? link.name ?? ""}`];
  });
  return links.join(", ") || t("rules.nothing");
}

/** The scope "for_requests" lists the rules that run for all requests, and those of single ones. */
const parseGeneric = (scope: string): string =>
  findEntryByCollection(scope.replace(/^for_/, "").replace(/_templates$/, "s"))?.name ?? "request";

/** The number of recent runs of each rule. */
function useStatistics(): ReadonlyMap<number, RuleStatistics> {
  const { api } = useCurrentAccount();
  const { data } = useQuery(automationQueries.statistics(api));
  return new Map(data?.map((each) => [each.rule_id, each]));
}

/** Automation rules of one scope in the order in which they run. */
export function RulesScreen() {
  const { account, may } = useCurrentAccount();
  const [{ scope = "for_requests" }, setSearch] = useAddressSearch("scope");
  const path = `/automation_rules/${scopes.includes(scope) ? scope : "for_requests"}`;
  const { data, error, refetch } = useList(path, { fields, sort: "position", per_page: "100" });
  return (
    <div className="page">
      <PageBar
        title={t("rules.title")}
        actions={
          <>
            <Button variant="default" {...linkTo(settingsPaths.ruleRuns(account.id))}>
              {t("ruleEditor.runLog")}
            </Button>
            {may("create", automationRule) && (
              <Button {...linkTo(paths.newRule(account.id, parseGeneric(scope)))}>{t("rules.new")}</Button>
            )}
          </>
        }
      />
      <div className="page-body rules-page">
        <Select
          label={t("rules.scope")}
          data={scopes.map((value) => ({ value, label: nameScope(value.replace(/^for_/, "")) }))}
          value={scope}
          onChange={(value) => setSearch({ scope: value ?? "" }, { adds: true })}
          allowDeselect={false}
          mb="md"
          maw={320}
        />
        <Text size="sm" c="dimmed" mb="sm">
          {t("rules.lead")} {may("update", automationRule) && t("rules.keys")}
        </Text>
        <Box className="card">
          {error !== null ? (
            <ErrorMessage error={error} retry={() => void refetch()} />
          ) : data === undefined ? (
            <LoadingSkeleton />
          ) : data.rows.length === 0 ? (
            <EmptyState title={t("rules.none")} lead={t("rules.noneLead")} />
          ) : (
            [...Map.groupBy(data.rows, describeLinks)].map(([about, rows]) => (
              <SortableRules key={about} about={about} rows={rows} writable={may("update", automationRule)} />
            ))
          )}
        </Box>
      </div>
    </div>
  );
}

function SortableRules({ about, rows, writable }: { about: string; rows: readonly Row[]; writable: boolean }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const statistics = useStatistics();
  const setDisabled = async (row: Row, disabled: boolean) => {
    await api.change(`/automation_rules/${row.id}`, { disabled }).catch(showError);
    await queries.invalidateQueries({ queryKey: listQueries.all(api) });
  };
  const move = async (from: number, to: number) => {
    const moved = rows[from];
    if (moved === undefined || from === to || to < 0 || to >= rows.length) return;
    const order = rows.toSpliced(from, 1).toSpliced(to, 0, moved);
    try {
      for (const [index, row] of order.entries())
        if (row.position !== index + 1) await api.change(`/automation_rules/${row.id}`, { position: index + 1 });
      showMessage(t("rules.moved", { name: String(moved.name), position: to + 1 }));
    } catch (error) {
      showError(error);
    }
    await queries.invalidateQueries({ queryKey: listQueries.all(api) });
    document.querySelector<HTMLElement>(`[data-rule="${moved.id}"] a`)?.focus();
  };
  const onKey = (index: number) => (event: KeyboardEvent) => {
    if (!writable || (!event.altKey && !event.shiftKey)) return;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    void move(index, event.key === "ArrowUp" ? index - 1 : index + 1);
  };
  const release = () => {
    setDragged(null);
    setOver(null);
  };
  const dragging = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", String(rows[index]?.name));
      setDragged(index);
    },
    onDragEnd: release,
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return; // it is dragged from another list
      event.preventDefault();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      release();
      void move(dragged, index);
    },
  });
  return (
    <section>
      <Text component="h2" size="sm" fw={600} p="sm" pb={0}>
        {about}
      </Text>
      <ol className="rules">
        {rows.map((row, index) => (
          <li
            key={row.id}
            data-rule={row.id}
            data-over={over === index && dragged !== index ? true : undefined}
            onKeyDown={onKey(index)}
            {...(writable ? dragging(index) : {})}
          >
            <Group justify="space-between" wrap="nowrap" p="sm">
              <div>
                <Link to={settingsPaths.rule(account.id, row.id)}>{String(row.name)}</Link>
                <Text size="sm" c="dimmed">
                  {t("ruleEditor.when")} {describeTrigger(String(row.trigger))}
                </Text>
              </div>
              <Group gap="xs" wrap="nowrap">
                <RunCount statistics={statistics.get(row.id)} />
                <Switch
                  aria-label={t("ruleEditor.enabledName", { name: String(row.name) })}
                  checked={row.disabled !== true}
                  disabled={!writable}
                  onChange={({ currentTarget }) => void setDisabled(row, !currentTarget.checked)}
                />
                {writable && (
                  <>
                    <ActionIcon
                      variant="default"
                      aria-label={t("rules.up", { name: String(row.name) })}
                      disabled={index === 0}
                      onClick={() => void move(index, index - 1)}
                    >
                      ↑
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      aria-label={t("rules.down", { name: String(row.name) })}
                      disabled={index === rows.length - 1}
                      onClick={() => void move(index, index + 1)}
                    >
                      ↓
                    </ActionIcon>
                  </>
                )}
              </Group>
            </Group>
          </li>
        ))}
      </ol>
    </section>
  );
}

const RunCount = ({ statistics }: { statistics: RuleStatistics | undefined }) =>
  statistics === undefined ? null : (
    <Text size="sm" c="dimmed" className="numbers rule-count">
      {t("ruleEditor.runCount", { count: statistics.runs })}
      {statistics.failures > 0 && (
        <b className="rule-failures"> · {t("ruleEditor.failureCount", { count: statistics.failures })}</b>
      )}
    </Text>
  );
