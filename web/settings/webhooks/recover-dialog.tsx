import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { buildDraftKey } from "../../drafts/use-settings-draft.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { type DeliveryScope, webhookQueries } from "../../queries/settings/webhooks.ts";

/** For an input of type datetime-local, which has no zone. */
const toLocal = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Redelivers all failed messages since a moment; shows their number first. */
export function RecoverDialog({ scope, onClose }: { scope: DeliveryScope; onClose(): void }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const [yesterday] = useState(() => toLocal(new Date(Date.now() - 24 * 3_600_000)));
  const key = buildDraftKey("settings/redelivery", scope.webhook_id ?? scope.receiver ?? "all");
  const { values, change, draft } = useFormDraft(key, { since: yesterday });
  const moment = new Date(values.since);
  const isValid = !Number.isNaN(moment.getTime());
  const body = {
    failed_since: isValid ? moment.toISOString() : "",
    ...(scope.receiver === undefined ? {} : { receiver: scope.receiver }),
    ...(scope.webhook_id === undefined ? {} : { webhook_id: Number(scope.webhook_id) }),
  };
  const { data, isFetching } = useQuery({ ...webhookQueries.recoverable(api, body), enabled: isValid });
  const recover = useMutation({
    mutationFn: () => api.call("POST /webhook_redeliveries", {}, body),
    onSuccess: async ({ redelivered }) => {
      draft.remove();
      showMessage(t("webhooks.redelivered", { count: redelivered }));
      await queries.invalidateQueries({ queryKey: webhookQueries.all(api) });
      onClose();
    },
    onError: showError,
  });
  return (
    <Dialog title={t("webhookOverview.recoverTitle")} onClose={onClose}>
      <Stack>
        <RestoredDraft draft={draft} onDiscard={draft.remove} />
        <TextInput
          type="datetime-local"
          label={t("webhooks.failedSince")}
          value={values.since}
          onChange={({ currentTarget }) => change({ since: currentTarget.value })}
        />
        <Text aria-live="polite">
          {data === undefined || isFetching
            ? t("app.loading")
            : t("webhookOverview.recoverable", { count: data.count })}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("form.cancel")}
          </Button>
          <Button disabled={(data?.count ?? 0) === 0} loading={recover.isPending} onClick={() => recover.mutate()}>
            {t("webhooks.redeliver")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
