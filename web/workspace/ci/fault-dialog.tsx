import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "../../../records/work/request.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Row } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { paths } from "../../base/paths.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { PropertyRow } from "../../parts/property-row.tsx";
import { useList } from "../../queries/index.ts";
import { getReferenceName, readReference } from "../../queries/reference.ts";

/** Reports a fault of the item: only a description is required. */
export function FaultDialog({ row, onClose }: { row: Row; onClose(): void }) {
  const { account, api } = useCurrentAccount();
  const draft = useDraft(`ci/${row.id}/fault`);
  const subject = draft.text;
  const [sending, setSending] = useState(false);
  const instances = useList(`/cis/${row.id}/service_instances`, { fields: "name", per_page: "1" });
  const instance = instances.data?.rows[0];
  const team = readReference(row.support_team);
  const send = async () => {
    setSending(true);
    try {
      const about = { category: "incident", ci_id: row.id };
      const created = await api.create("/requests", {
        ...{ subject, ...about },
        ...(instance === undefined ? {} : { service_instance_id: instance.id, impact: "low" }),
      });
      draft.remove();
      navigateTo(paths.record(account.id, request, created.id));
    } catch (error) {
      showError(error);
      setSending(false);
    }
  };
  return (
    <Dialog title={t("ci.fault")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (subject.trim() !== "") void send();
        }}
      >
        <TextInput
          label={fieldLabel("subject")}
          description={t("ci.faultHint", { name: String(row.label ?? row.name) })}
          value={subject}
          onChange={(event) => draft.setText(event.currentTarget.value)}
          maxLength={255}
          data-autofocus
          required
        />
        <div className="fault-facts">
          <PropertyRow label={fieldLabel("ci")}>{String(row.label ?? row.name)}</PropertyRow>
          {instance !== undefined && (
            <PropertyRow label={fieldLabel("service_instance")}>{String(instance.name)}</PropertyRow>
          )}
          {team !== null && <PropertyRow label={fieldLabel("team")}>{getReferenceName(team)}</PropertyRow>}
        </div>
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={sending} disabled={instances.isPending}>
            {t("ci.fault")}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
