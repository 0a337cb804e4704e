import { Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Secret } from "../../parts/forms/secret.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { provisioningQueries } from "../../queries/settings/provisioning.ts";
import { ArrivedGroups, ArrivedUsers } from "./arrived.tsx";
import { RuleRuns } from "./rule-runs.tsx";
import type { ProvisioningState, ProvisioningToken } from "./state.ts";
import { SyncFlow } from "./sync-flow.tsx";

/**
 * Users and groups sent by an identity provider: the connection, the received entries, and the results of the rules.
 */
export function ProvisioningScreen() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(provisioningQueries.state(api));
  return (
    <div>
      <ProofGate />
      <PageHeader title={t("settings.provisioning")} lead={t("settings.provisioningLead")} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <Provisioning state={data} />
      )}
    </div>
  );
}

function Provisioning({ state }: { state: ProvisioningState }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const [asking, setAsking] = useState<"token" | "off" | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: provisioningQueries.all(api) });
  const makeToken = useMutation({
    mutationFn: () => api.call("POST /scim/tokens", {}),
    onSuccess: ({ token }) => {
      setSecret(token);
      return refresh();
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  const switchOff = useMutation({
    mutationFn: () => api.call("DELETE /scim", {}),
    onSuccess: () => {
      setSecret(null);
      showMessage(t("provisioning.isOff"));
      return refresh();
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  const hasArrivals = state.groups + state.users.active + state.users.inactive > 0;
  return (
    <Stack gap="lg">
      <SyncFlow />
      {state.enabled ? (
        <Box component="section" className="card" p={{ base: "md", sm: "lg" }} w={860} maw="100%">
          <Stack gap="md">
            <div>
              <Text fw={600} mb={4}>
                {t("provisioning.address")}
              </Text>
              <Secret name={t("provisioning.address")} value={state.base_url} />
            </div>
            {secret !== null && (
              <div role="status">
                <Text fw={600} mb={4}>
                  {t("provisioning.token")}
                </Text>
                <Secret name={t("provisioning.token")} value={secret} />
                <Text size="sm" c="dimmed" mt={4}>
                  {t("provisioning.shownOnce")}
                </Text>
              </div>
            )}
            <Tokens tokens={state.tokens} />
            <Group gap="sm">
              <Button variant="default" onClick={() => setAsking("token")}>
                {t("provisioning.newToken")}
              </Button>
              <Button variant="default" onClick={() => setAsking("off")}>
                {t("provisioning.switchOff")}
              </Button>
              <Link to={paths.rules(account.id)}>{t("provisioning.openRules")}</Link>
            </Group>
          </Stack>
        </Box>
      ) : (
        <Box className="card" w={860} maw="100%">
          <EmptyState title={t("provisioning.off")} lead={t("provisioning.offLead")} level={2}>
            <Button loading={makeToken.isPending} onClick={() => makeToken.mutate()}>
              {t("provisioning.switchOn")}
            </Button>
          </EmptyState>
        </Box>
      )}
      {hasArrivals && <Figures state={state} />}
      {hasArrivals && <ArrivedUsers />}
      {state.groups > 0 && <ArrivedGroups />}
      {state.runs.length > 0 && <RuleRuns runs={state.runs} />}
      {asking === "token" && (
        <ConfirmDialog
          title={t("provisioning.newTokenTitle")}
          lead={t("provisioning.newTokenLead")}
          action={t("provisioning.newToken")}
          danger={false}
          busy={makeToken.isPending}
          onConfirm={() => makeToken.mutate()}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "off" && (
        <ConfirmDialog
          title={t("provisioning.switchOffTitle")}
          lead={t("provisioning.switchOffLead")}
          action={t("provisioning.switchOff")}
          busy={switchOff.isPending}
          onConfirm={() => switchOff.mutate()}
          onClose={() => setAsking(null)}
        />
      )}
    </Stack>
  );
}

const Tokens = ({ tokens }: { tokens: readonly ProvisioningToken[] }) => (
  <SimpleTable
    label={t("provisioning.tokens")}
    rows={tokens}
    keyOf={({ id }) => id}
    columns={[
      { label: t("provisioning.token"), cell: ({ name }) => name },
      {
        label: t("provisioning.made"),
        cell: ({ created_at, created_by }) => (
          <>
            <Timestamp at={created_at} />
            {created_by === null ? "" : `, ${created_by.name}`}
          </>
        ),
      },
      {
        label: t("provisioning.lastUsed"),
        cell: ({ last_used_at }) => (last_used_at === null ? t("provisioning.never") : <Timestamp at={last_used_at} />),
      },
      {
        label: t("provisioning.ends"),
        cell: ({ expires_at }) => (expires_at === null ? t("provisioning.never") : <Timestamp at={expires_at} />),
      },
    ]}
  />
);

function Figures({ state: { users, groups } }: { state: ProvisioningState }) {
  const figures = [
    ["active", users.active],
    ["inactive", users.inactive],
    ["groups", groups],
    ["failed", users.failed],
  ] as const;
  return (
    <Group gap="xl" component="dl" m={0}>
      {figures.map(([name, count]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {t(`provisioning.${name}`)}
          </Text>
          <Title component="dd" order={3} m={0} {...(name === "failed" && count > 0 ? { c: "red.9" } : {})}>
            {count}
          </Title>
        </div>
      ))}
    </Group>
  );
}
