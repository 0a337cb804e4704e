import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "../../../records/work/request.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { fieldLabel } from "../../languages/labels.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";

/** Reports a fault of the item: what is wrong is all there is to say. */
export function FaultDialog({ row, onClose }: { row: Row; onClose(): void }) {
  const { account, api } = useCurrentAccount();
  const [subject, setSubject] = useState("");
  const [sending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    try {
      const instances = await api.list(`/cis/${row.id}/service_instances`, { per_page: "1" });
      const instance = instances.rows[0]?.id;
      const about = { category: "incident", ci_id: row.id };
      const created = await api.create("/requests", {
        ...{ subject, ...about },
        ...(instance === undefined ? {} : { service_instance_id: instance, impact: "low" }),
      });
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
          onChange={(event) => setSubject(event.currentTarget.value)}
          maxLength={255}
          data-autofocus
          required
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={sending}>
            {t("ci.fault")}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
