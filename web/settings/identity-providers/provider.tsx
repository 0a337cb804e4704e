import { ActionIcon, Alert, Badge, Box, Button, CopyButton, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { type IdentityProvider, identityProvidersApi, type ProviderValues } from "../../api/identity-providers.ts";
import { ApiError } from "../../api/index.ts";
import { navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { CheckIcon, CopyIcon } from "../../elements/icons.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { identityProviderQueries } from "../../queries/settings/identity-providers.ts";
import { ProviderForm } from "./provider-form.tsx";

export function ProviderScreen({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(identityProviderQueries.one(api, id));
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return <ProviderPage provider={data} />;
}

function ProviderPage({ provider }: { provider: IdentityProvider }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const calls = identityProvidersApi(account.id);
  const { id, name, disabled, start_url } = provider;
  const [asking, setAsking] = useState<"disable" | "delete" | null>(null);
  const list = settingsPaths.identityProviders(account.id);
  const refresh = () => queries.invalidateQueries({ queryKey: identityProviderQueries.all(api) });
  const change = useMutation({
    mutationFn: (values: ProviderValues) => calls.change(id, values),
    onSuccess: async () => {
      showMessage(t("providers.saved"));
      await refresh();
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : showError(error)),
    onSettled: () => setAsking(null),
  });
  const remove = useMutation({
    mutationFn: () => calls.remove(id),
    onSuccess: async () => {
      showMessage(t("providers.deleted"));
      navigateTo(list);
      await refresh();
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  const test = useMutation({ mutationFn: () => calls.test(id), onError: showError });
  return (
    <div>
      <ProofGate />
      <PageHeader
        title={name}
        lead={provider.issuer}
        trail={[{ label: t("settings.identityProviders"), path: list }]}
        beside={disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
        actions={
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t("providers.test")}
            </Button>
            <Button variant="default" component="a" href={`${start_url}?mode=test`}>
              {t("providers.tryOut")}
            </Button>
            <Button
              variant="default"
              onClick={() => (disabled ? change.mutate({ disabled: false }) : setAsking("disable"))}
            >
              {t(disabled ? "providers.enable" : "providers.disable")}
            </Button>
            <Button variant="default" onClick={() => setAsking("delete")}>
              {t("providers.delete")}
            </Button>
          </>
        }
      />
      {test.data !== undefined && (
        <Alert
          role="status"
          variant="light"
          color={test.data.works ? "green" : "red"}
          mb="md"
          maw={760}
          {...(test.data.works ? {} : { title: t("providers.fails") })}
        >
          {test.data.works ? t("providers.works") : test.data.problem}
        </Alert>
      )}
      <Addresses provider={provider} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ProviderForm
          key={provider.updated_at}
          provider={provider}
          error={change.error}
          busy={change.isPending}
          onSave={change.mutateAsync}
          onCancel={() => navigateTo(list)}
        />
      </Box>
      {asking !== null && (
        <ConfirmDialog
          title={t(`providers.${asking}Confirm`, { name })}
          lead={t(`providers.${asking}Lead`)}
          action={t(`providers.${asking}`)}
          busy={change.isPending || remove.isPending}
          onConfirm={() => (asking === "disable" ? change.mutate({ disabled: true }) : remove.mutate())}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

const addresses = [
  ["callback", "callback_url"],
  ["start", "start_url"],
  ["logout", "back_channel_logout_url"],
] as const;

/** The addresses that administrators enter at the provider. */
function Addresses({ provider }: { provider: IdentityProvider }) {
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }} maw={760} mb="md">
      <Title order={2} size="h4" mb="sm">
        {t("providers.addresses")}
      </Title>
      <Stack gap="sm">
        {addresses.map(([label, member]) => (
          <Group key={member} justify="space-between" wrap="nowrap" gap="md">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" c="dimmed">
                {t(`providers.${label}`)}
              </Text>
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {provider[member]}
              </Text>
            </div>
            <CopyAddress label={t("providers.copy", { name: t(`providers.${label}`) })} address={provider[member]} />
          </Group>
        ))}
      </Stack>
    </Box>
  );
}

const CopyAddress = ({ label, address }: { label: string; address: string }) => (
  <CopyButton value={address} timeout={3000}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="default"
        size="lg"
        onClick={copy}
        aria-label={copied ? t("secret.copied") : label}
        title={label}
      >
        {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      </ActionIcon>
    )}
  </CopyButton>
);
