import { Box, Button, Stack, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Token } from "../../api/profile.ts";
import { profileApi } from "../../api/profile.ts";
import { linkTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { AddIcon } from "../../elements/icons.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Secret } from "../../parts/forms/secret.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { useNow } from "../../parts/now.ts";
import { ScopeDescription } from "../../parts/scopes/scope-description.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { profileQueries } from "../../queries/settings/profile.ts";
import { ProfilePage } from "./profile-page.tsx";

export function TokensScreen() {
  const { account } = useCurrentAccount();
  return (
    <ProfilePage
      active="tokens"
      actions={
        <Button leftSection={<AddIcon size={16} />} {...linkTo(settingsPaths.newToken(account.id))}>
          {t("tokens.generate")}
        </Button>
      }
    >
      <p className="quiet profile-lead">{t("tokens.lead")}</p>
      <Box className="card">
        <Tokens />
      </Box>
      <Example />
    </ProfilePage>
  );
}

/** A sample call to copy, shown even without a token. */
function Example() {
  const { account } = useCurrentAccount();
  const call = `curl -H "Authorization: Bearer TOKEN" -H "account: ${account.id}" "${location.origin}/v1/me"`;
  return (
    <Stack component="section" gap="xs" mt="xl" aria-label={t("tokens.example")}>
      <Title order={2} size="h4">
        {t("tokens.example")}
      </Title>
      <p className="quiet">{t("tokens.exampleLead")}</p>
      <Secret name={t("tokens.example")} value={call} />
    </Stack>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return t("tokens.noExpiry");
  if (Date.parse(at) <= now) return <span className="quiet">{t("tokens.expired")}</span>;
  return <Timestamp at={at} />;
}

function Tokens() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(profileQueries.tokens());
  const [asking, setAsking] = useState<Token | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: Token) => profileApi.deleteToken(id),
    onSuccess: () => {
      showMessage(t("tokens.deleted"));
      return queries.invalidateQueries({ queryKey: profileQueries.tokens().queryKey });
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={4} />;
  if (data.length === 0) return <EmptyState title={t("tokens.none")} lead={t("tokens.noneLead")} />;
  return (
    <>
      <SimpleTable
        label={t("tokens.title")}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { label: t("tokens.name"), cell: ({ name }) => name },
          { label: t("tokens.scopes"), cell: ({ scopes }) => <ScopeDescription scopes={scopes} /> },
          { label: t("tokens.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
          { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
          { label: t("tokens.expires"), cell: ({ expires_at }) => <Expiry at={expires_at} /> },
        ]}
        actions={(token) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("tokens.deleteName", { name: token.name })}
            onClick={() => setAsking(token)}
          >
            {t("tokens.delete")}
          </Button>
        )}
      />
      {asking !== null && (
        <ConfirmDialog
          title={t("tokens.deleteConfirm", { name: asking.name })}
          lead={t("tokens.deleteLead")}
          action={t("tokens.delete")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
