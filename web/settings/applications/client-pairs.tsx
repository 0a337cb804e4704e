import { Badge, Box, Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Application, Client, ClientPair } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { AddIcon } from "../../elements/icons.tsx";
import { showError } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { Secret } from "../../parts/forms/secret.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";

type Props = { application: Application; refresh(): Promise<void> };

/** An application's pairs of client ID and secret. */
export function ClientPairs({ application, refresh }: Props) {
  const { account } = useCurrentAccount();
  const calls = administrationApi(account.id);
  const { id } = application;
  const [newPair, setNewPair] = useState<ClientPair | null>(null);
  const [doomed, setDoomed] = useState<Client | null>(null);
  const add = useMutation({
    mutationFn: () => calls.addPair(id),
    onSuccess: async (pair) => {
      setNewPair(pair);
      await refresh();
    },
    onError: showError,
  });
  const change = useMutation({
    mutationFn: (pair: Client) => calls.changePair(id, pair.id, !pair.disabled),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: (pair: Client) => calls.deletePair(id, pair.id),
    onSuccess: refresh,
    onError: showError,
    onSettled: () => setDoomed(null),
  });
  const short = (pair: Client) => pair.client_id.slice(0, 8);
  return (
    <section aria-label={t("applications.pairs")}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {t("applications.pairs")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("applications.pairsLead")}
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<AddIcon size={16} />}
          loading={add.isPending}
          onClick={() => add.mutate()}
        >
          {t("applications.addPair")}
        </Button>
      </Group>
      <Box className="card">
        {application.clients.length === 0 ? (
          <Text p="md" c="dimmed">
            {t("applications.noPairs")}
          </Text>
        ) : (
          <SimpleTable
            label={t("applications.pairs")}
            rows={application.clients}
            keyOf={(pair) => pair.id}
            columns={[
              {
                label: t("applications.clientId"),
                cell: ({ client_id, disabled }) => (
                  <Group gap={8}>
                    <Code className="wrap">{client_id}</Code>
                    {disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
                  </Group>
                ),
              },
              { label: t("tokens.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
              { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
            ]}
            actions={(pair) => {
              const action = t(pair.disabled ? "applications.enablePair" : "applications.disablePair");
              return (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t("applications.pairName", { action, id: short(pair) })}
                    onClick={() => change.mutate(pair)}
                  >
                    {action}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t("applications.pairName", { action: t("applications.deletePair"), id: short(pair) })}
                    onClick={() => setDoomed(pair)}
                  >
                    {t("applications.deletePair")}
                  </Button>
                </Group>
              );
            }}
          />
        )}
      </Box>
      {newPair !== null && <NewPairDialog pair={newPair} onClose={() => setNewPair(null)} />}
      {doomed !== null && (
        <ConfirmDialog
          title={t("applications.deletePairConfirm")}
          lead={t("applications.deletePairLead")}
          action={t("applications.deletePair")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(doomed)}
          onClose={() => setDoomed(null)}
        />
      )}
    </section>
  );
}

/** The secret is shown only once. */
const NewPairDialog = ({ pair, onClose }: { pair: ClientPair; onClose(): void }) => (
  <Dialog size="lg" onClose={onClose} loose={false} title={t("applications.pairTitle")}>
    <Stack gap="sm">
      <Text>{t("applications.secretLead")}</Text>
      <Text fw={600}>{t("applications.clientId")}</Text>
      <Secret name={t("applications.clientId")} value={pair.client_id} />
      <Text fw={600}>{t("applications.clientSecret")}</Text>
      <Secret name={t("applications.clientSecret")} value={pair.client_secret} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("tokens.done")}</Button>
      </Group>
    </Stack>
  </Dialog>
);
