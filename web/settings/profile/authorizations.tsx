import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Authorization } from "../../api/profile.ts";
import { profileApi } from "../../api/profile.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { ScopeDescription } from "../../parts/scopes/scope-description.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { profileQueries } from "../../queries/settings/profile.ts";

/** Applications that the person has authorized to act for them, until revoked. */
export function Authorizations() {
  const queries = useQueryClient();
  const { data, error } = useQuery(profileQueries.authorizations());
  const [asking, setAsking] = useState<Authorization | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: Authorization) => profileApi.revokeAuthorization(id),
    onSuccess: (_answer, { application }) => {
      showMessage(t("profile.revoked", { name: application.name }));
      return queries.invalidateQueries({ queryKey: profileQueries.authorizations().queryKey });
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <ErrorMessage error={error} />;
  if (data === undefined) return <LoadingSkeleton rows={3} />;
  if (data.length === 0)
    return (
      <Text p="md" c="dimmed">
        {t("profile.noAuthorizations")}
      </Text>
    );
  return (
    <>
      <SimpleTable
        label={t("profile.authorizations")}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t("applications.name"),
            cell: ({ application, account }) => (
              <>
                {application.name}
                <Text size="sm" c="dimmed" fw={400}>
                  {account.name}
                </Text>
              </>
            ),
          },
          { label: t("applications.scopes"), cell: ({ scopes }) => <ScopeDescription scopes={scopes} /> },
          { label: t("tokens.created"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
          { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
        ]}
        actions={(each) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("profile.revokeName", { name: each.application.name })}
            onClick={() => setAsking(each)}
          >
            {t("profile.revoke")}
          </Button>
        )}
      />
      {asking !== null && (
        <ConfirmDialog
          title={t("profile.revokeConfirm", { name: asking.application.name })}
          lead={t("profile.revokeLead")}
          action={t("profile.revoke")}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
