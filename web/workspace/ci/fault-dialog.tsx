import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "../../../records/work/request.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { PropertyRow } from "../../parts/property-row.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { useList } from "../../queries/index.ts";
import { getReferenceName, type Reference } from "../../queries/reference.ts";

/** Reports a fault of the item: what is wrong is all there is to say. */
export function FaultDialog({ row, onClose }: { row: Row; onClose(): void }) {
  const { account, api } = useCurrentAccount();
  const draft = useDraft(`ci/${row.id}/fault`);
  const subject = draft.text;
  const [sending, setSending] = useState(false);
  const instances = useList(`/cis/${row.id}/service_instances`, { fields: "name", per_page: "1" });
  const instance = instances.data?.rows[0];
  const team = row.support_team as Reference | null | undefined;
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
          {team != null && <PropertyRow label={fieldLabel("team")}>{getReferenceName(team)}</PropertyRow>}
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
