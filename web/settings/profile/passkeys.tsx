import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/index.ts";
import { createPasskey, knowsPasskeys } from "../../api/passkeys.ts";
import type { Passkey } from "../../api/profile.ts";
import { profileApi } from "../../api/profile.ts";
import { browserName } from "../../base/browser-name.ts";
import { useFormDraft } from "../../drafts/use-form-draft.ts";
import { errorText } from "../../elements/error-text.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { RestoredDraft } from "../../parts/forms/restored-draft.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { profileQueries } from "../../queries/settings/profile.ts";

const { queryKey } = profileQueries.passkeys();

/** Keys in a device or a password manager for signing in without a password. */
export function Passkeys() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(profileQueries.passkeys());
  const [isAdding, setIsAdding] = useState(false);
  const [asking, setAsking] = useState<Passkey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => profileApi.deletePasskey(id),
    onSuccess: () => {
      showMessage(t("passkeys.deleted"));
      return queries.invalidateQueries({ queryKey });
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={2} />;
  return (
    <>
      {data.length > 0 && (
        <SimpleTable
          label={t("passkeys.title")}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { label: t("passkeys.name"), cell: ({ name }) => name },
            { label: t("tokens.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
            { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
          ]}
          actions={(passkey) => (
            <Button
              variant="default"
              size="xs"
              aria-label={t("passkeys.deleteName", { name: passkey.name })}
              onClick={() => setAsking(passkey)}
            >
              {t("passkeys.delete")}
            </Button>
          )}
        />
      )}
      <Stack p="md" gap="sm">
        {data.length === 0 && <Text>{t("passkeys.none")}</Text>}
        {knowsPasskeys() ? (
          <div>
            <Button variant="default" onClick={() => setIsAdding(true)}>
              {t("passkeys.add")}
            </Button>
          </div>
        ) : (
          <Text c="dimmed">{t("passkeys.unsupported")}</Text>
        )}
      </Stack>
      <ProofGate />
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
      {asking !== null && (
        <ConfirmDialog
          title={t("passkeys.deleteConfirm", { name: asking.name })}
          lead={t("passkeys.deleteLead")}
          action={t("passkeys.delete")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

function AddDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const { values, change, draft } = useFormDraft("settings/passkey", { name: browserName(navigator.userAgent) });
  const { name } = values;
  const add = useMutation({
    mutationFn: async () => {
      const { options, challenge } = await profileApi.startPasskey();
      return profileApi.finishPasskey({ name, challenge, passkey: await createPasskey(options) });
    },
    onSuccess: () => {
      showMessage(t("passkeys.added"));
      draft.remove();
      onClose();
      return queries.invalidateQueries({ queryKey });
    },
  });
  const atName = getFieldError(add.error, "name");
  const failure =
    add.error === null || atName !== undefined
      ? null
      : add.error instanceof ApiError
        ? errorText(add.error)
        : t("passkeys.failed");
  return (
    <Dialog title={t("passkeys.add")} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack gap="md">
          <Text>{t("passkeys.addLead")}</Text>
          <RestoredDraft draft={draft} onDiscard={draft.remove} />
          <TextInput
            data-autofocus
            label={t("passkeys.name")}
            maxLength={80}
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={atName}
          />
          {failure !== null && (
            <Text role="alert" c="var(--red)" size="sm">
              {failure}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("form.cancel")}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t("passkeys.add")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
