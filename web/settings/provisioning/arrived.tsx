import { Box, Button, Group, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { paths } from "../../base/paths.ts";
import { findEntry } from "../../base/type-index.ts";
import { Link } from "../../elements/link.tsx";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { provisioningQueries } from "../../queries/settings/provisioning.ts";

const describeState = ({ deleted, active }: { deleted: boolean | null; active: boolean | null }): string =>
  t(deleted ? "provisioning.deletedUser" : active ? "provisioning.activeUser" : "provisioning.inactiveUser");

export function ArrivedUsers() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [onlyFailed, setOnlyFailed] = useState(false);
  const { data, error, refetch } = useQuery(provisioningQueries.users(api, onlyFailed));
  const process = useMutation({
    mutationFn: ({ id }: { id: number }) => api.call("POST /scim_users/:id/process", { id }),
    onSuccess: () => {
      showMessage(t("provisioning.runsAgain"));
      return queries.invalidateQueries({ queryKey: provisioningQueries.all(api) });
    },
    onError: showError,
  });
  const personType = findEntry("person");
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t("provisioning.arrived")}
        </Title>
        <Button variant="subtle" size="xs" aria-pressed={onlyFailed} onClick={() => setOnlyFailed((before) => !before)}>
          {t(onlyFailed ? "provisioning.showAll" : "provisioning.showFailed")}
        </Button>
      </Group>
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <Box className="card">
          <SimpleTable
            label={t("provisioning.arrived")}
            rows={data.rows}
            keyOf={({ id }) => id}
            columns={[
              { label: t("provisioning.user"), cell: ({ user_name }) => user_name },
              { label: t("provisioning.state"), cell: (user) => describeState(user) },
              {
                label: t("provisioning.person"),
                cell: ({ person }) =>
                  person === null || personType === undefined ? (
                    ""
                  ) : (
                    <Link to={paths.record(account.id, personType, person.id)}>{person.name}</Link>
                  ),
              },
              { label: t("provisioning.changed"), cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
              { label: t("provisioning.error"), cell: ({ last_error }) => last_error ?? "" },
            ]}
            actions={(user) => (
              <Button
                variant="default"
                size="xs"
                loading={process.isPending && process.variables.id === user.id}
                aria-label={t("provisioning.runAgainName", { name: user.user_name ?? "" })}
                onClick={() => process.mutate(user)}
              >
                {t("provisioning.runAgain")}
              </Button>
            )}
          />
        </Box>
      )}
    </section>
  );
}

export function ArrivedGroups() {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(provisioningQueries.groups(api));
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton />;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t("provisioning.groups")}
      </Title>
      <Box className="card">
        <SimpleTable
          label={t("provisioning.groups")}
          rows={data.rows}
          keyOf={({ id }) => id}
          columns={[
            { label: t("provisioning.group"), cell: ({ display_name }) => display_name },
            { label: t("provisioning.members"), cell: ({ members_count }) => members_count },
            {
              label: t("provisioning.standsFor"),
              cell: ({ organization, site, classification }) =>
                organization?.name ??
                site?.name ??
                choiceLabel("scim_group.classification", classification ?? "unclassified"),
            },
            { label: t("provisioning.changed"), cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
            { label: t("provisioning.error"), cell: ({ last_error }) => last_error ?? "" },
          ]}
        />
      </Box>
    </section>
  );
}
