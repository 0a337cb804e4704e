import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { useSettingsDraft } from "../../drafts/use-settings-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { accountQueries } from "../../queries/account.ts";
import { listQueries } from "../../queries/records.ts";
import { automationQueries } from "../../queries/settings/automation.ts";
import type { RuleTry } from "./editor/placed-values.ts";
import { getRecordType, pickLinks, type RuleDraft, toDraft, toMembers } from "./editor/rule-draft.ts";

/** The rule being edited, its errors, and its dry run. `like`: the record on which a new rule is based. */
export function useRuleEditor(row: Row, like: number | null) {
  const { api } = useCurrentAccount();
  const saved = useMemo(() => toDraft(row), [row]);
  const form = useSettingsDraft(like === null ? `rule/${row.id}` : `rule/like/${like}`, saved);
  const { values: draft, change } = form;
  const [settled] = useDebouncedValue(draft, 300);
  const [record, setRecord] = useState<number | null>(like);
  const [tried, setTried] = useState<RuleTry | null>(null);
  const links = useMemo(() => pickLinks(row), [row]);
  const buildBody = (of: RuleDraft) => ({ id: row.id, ...links, ...toMembers(of) });
  const { data: checked } = useQuery(automationQueries.check(api, buildBody(settled)));
  const trying = useMutation({
    mutationFn: async ({ of, forRecord }: { of: RuleDraft; forRecord: number }) => ({
      result: await api.call("POST /automation_rule_dry_run", {}, { ...buildBody(of), record_id: forRecord }),
      of,
    }),
    onSuccess: setTried,
  });
  const chooseGeneric = (generic: string | null) => {
    // A dry run needs a record of the rule's type.
    setRecord(null);
    setTried(null);
    change({ generic });
  };
  const type = getRecordType(draft, links);
  return { form, draft, change, chooseGeneric, links, type, buildBody, checked, record, setRecord, tried, trying };
}

export type RuleEditor = ReturnType<typeof useRuleEditor>;

/** Saving, switching and duplicating the rule. */
export function useRuleChanges(row: Row, { draft, form, links }: RuleEditor) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const isNew = row.id === 0;
  const dirty = useRef(false);
  useEffect(() => {
    dirty.current = !form.draft.isEmpty;
  }, [form.draft.isEmpty]);
  const refresh = () => queries.invalidateQueries({ queryKey: accountQueries.all(api) });
  const saving = useMutation({
    mutationFn: () =>
      isNew
        ? api.create("/automation_rules", { ...toMembers(draft) })
        : api.change(`/automation_rules/${row.id}`, toMembers(draft)),
    onSuccess: async ({ id }) => {
      dirty.current = false;
      if (isNew) navigateTo(settingsPaths.rule(account.id, id), true);
      await refresh();
      form.draft.remove();
      showMessage(t("record.saved"));
    },
  });
  const switching = useMutation({
    mutationFn: (disabled: boolean) => api.change(`/automation_rules/${row.id}`, { disabled }),
    onSuccess: refresh,
  });
  /** The copy is disabled, so that it does nothing before a person has reviewed it. */
  const duplicating = useMutation({
    mutationFn: () =>
      api.create("/automation_rules", {
        ...{ ...links, ...toMembers(draft), disabled: true },
        name: t("ruleEditor.copyOf", { name: draft.name }).slice(0, 128),
      }),
    onSuccess: async (copy) => {
      await queries.invalidateQueries({ queryKey: listQueries.all(api) });
      navigateTo(settingsPaths.rule(account.id, copy.id));
    },
    onError: showError,
  });
  return { dirty, saving, switching, duplicating };
}
