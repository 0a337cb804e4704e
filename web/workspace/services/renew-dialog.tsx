import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { listQueries } from "../../queries/records.ts";
import { readReference } from "../../queries/reference.ts";
import { findNextTerm } from "./next-term.ts";

/** Copied unchanged; dates, name and status are those of the next term. */
const references = ["service_offering", "service_instance", "customer", "service_level_manager"];
const values = [
  ...["coverage", "agreementID", "remarks", "use_knowledge_from_service_provider"],
  ...["low", "medium", "high", "top", "rfc", "rfi", "case"].map((kind) => `activityID_${kind}`),
];
const coverageLists = ["organizations", "sites", "people", "skill_pools", "coverage_groups"];
const pageLength = 100;

type Props = { type: RecordType; row: Row; onClose(): void };

/** Renewing an agreement creates the next one with the same content; the old agreement stays unchanged. */
export function RenewDialog({ type, row, onClose }: Props) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const form = useFormDraft(`${type.name}/${row.id}/renewal`, { name: String(row.name), ...findNextTerm(row) });
  const { name, ...dates } = form.values;
  const cancel = () => {
    form.draft.remove();
    onClose();
  };
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const base = `/${type.collection}/${row.id}`;

  const loadAll = async (path: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1; ; page++) {
      const { rows: more } = await api.list(path, { per_page: String(pageLength), page: String(page), fields: "id" });
      rows.push(...more);
      if (more.length < pageLength) return rows;
    }
  };
  const renew = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const representatives = await loadAll(`${base}/customer_representatives`);
      const copied = values.filter((field) => row[field] != null).map((field) => [field, row[field]]);
      const linked = references
        .filter((field) => row[field] != null)
        .map((field) => [`${field}_id`, readReference(row[field])?.id]);
      const created = await api.create(`/${type.collection}`, {
        ...{ name, status: "being_prepared", ...dates },
        ...Object.fromEntries([...copied, ...linked]),
        ...(row.customer_account == null ? {} : { customer_account_id: readReference(row.customer_account)?.id }),
        customer_representative_ids: representatives.map(({ id }) => id),
      });
      form.draft.remove();
      await copyCoverage(created.id).catch(showError); // the agreement exists: missing coverage can be added there
      await queries.invalidateQueries({ queryKey: listQueries.all(api) });
      showMessage(t("agreement.renewed"));
      navigateTo(paths.record(account.id, type, created.id));
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const copyCoverage = async (id: number) => {
    for (const list of coverageLists)
      for (const linked of await loadAll(`${base}/${list}`).catch(() => []))
        await api.act(`/${type.collection}/${id}/${list}/${linked.id}`);
    if (row.coverage !== "service_instances") return;
    const { rows } = await api.list(`${base}/service_instances`, { per_page: String(pageLength) });
    for (const child of rows)
      await api.create(`/${type.collection}/${id}/service_instances`, {
        service_instance_id: readReference(child.service_instance)?.id,
        impact_relation: child.impact_relation,
      });
  };
  return (
    <Dialog title={t("agreement.renewTitle", { name: String(row.name) })} onClose={onClose}>
      <form onSubmit={(event) => void renew(event)} noValidate>
        <Stack>
          <Text size="sm">{t("agreement.renewLead")}</Text>
          <RestoredDraft draft={form.draft} onDiscard={form.draft.remove} />
          <TextInput
            label={fieldLabel("name")}
            value={name}
            required
            data-autofocus
            error={getFieldError(error, "name") ?? getFieldError(error, "base")}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
          />
          {(["start_date", "expiry_date", "notice_date"] as const).map((field) => (
            <TextInput
              key={field}
              type="date"
              label={fieldLabel(field)}
              value={dates[field] ?? ""}
              error={getFieldError(error, field)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                form.change({ [field]: value === "" ? null : value });
              }}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={cancel}>
              {t("form.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {t("agreement.renew")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
