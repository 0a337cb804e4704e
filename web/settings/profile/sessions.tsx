import { Badge, Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { profileApi } from "../../api/profile.ts";
import { browserName } from "../../base/browser-name.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { profileQueries } from "../../queries/settings/profile.ts";

/** The person's sessions; every browser but this one can be signed out from here. */
export function Sessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery(profileQueries.sessions());
  const end = useMutation({
    mutationFn: profileApi.endSession,
    onSuccess: () => {
      showMessage(t("profile.sessionEnded"));
      return queries.invalidateQueries({ queryKey: profileQueries.sessions().queryKey });
    },
    onError: showError,
  });
  if (error !== null) return <ErrorMessage error={error} />;
  if (data === undefined) return <LoadingSkeleton rows={3} />;
  return (
    <SimpleTable
      label={t("profile.sessions")}
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t("profile.browser"),
          cell: ({ user_agent, current }) => (
            <Group gap={8}>
              {browserName(user_agent)}
              {current && <Badge variant="default">{t("profile.thisSession")}</Badge>}
            </Group>
          ),
        },
        { label: t("profile.address"), cell: ({ address }) => address },
        { label: t("profile.signedInSince"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
        { label: t("profile.lastSeen"), cell: ({ last_seen_at }) => <Timestamp at={last_seen_at} /> },
      ]}
      actions={({ id, current, user_agent }) =>
        !current && (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables === id}
            aria-label={t("profile.endSessionName", { browser: browserName(user_agent) })}
            onClick={() => end.mutate(id)}
          >
            {t("profile.endSession")}
          </Button>
        )
      }
    />
  );
}
