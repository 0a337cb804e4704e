import { Box, Button, Group, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { choiceLabel } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { Link } from "../../parts/link.tsx";
import { SimpleTable } from "../../parts/lists/simple-table.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { Timestamp } from "../../parts/timestamp.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";
import { findEntry } from "../../type-index.ts";

type Named = { id: number; name: string };
type ScimUser = {
  id: number;
  user_name: string;
  active: boolean;
  deleted: boolean;
  person: Named | null;
  last_error: string | null;
  updated_at: string;
};
type ScimGroup = {
  id: number;
  display_name: string;
  members_count: number;
  classification: string;
  organization: Named | null;
  site: Named | null;
  last_error: string | null;
  updated_at: string;
};

const newest = { sort: "-updated_at", per_page: "10" };
const describeState = ({ deleted, active }: ScimUser): string =>
  t(deleted ? "provisioning.deletedUser" : active ? "provisioning.activeUser" : "provisioning.inactiveUser");

export function ArrivedUsers() {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [onlyFailed, setOnlyFailed] = useState(false);
  const path = onlyFailed ? "/scim_users/failed" : "/scim_users";
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "provisioning", "users", onlyFailed],
    queryFn: () => api.list<ScimUser>(path, newest),
  });
  const process = useMutation({
    mutationFn: ({ id }: ScimUser) => api.act(`/scim_users/${id}/process`),
    onSuccess: () => {
      showMessage(t("provisioning.runsAgain"));
      return queries.invalidateQueries({ queryKey: [account.id, "provisioning"] });
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
              { label: t("provisioning.state"), cell: describeState },
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
                aria-label={t("provisioning.runAgainName", { name: user.user_name })}
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
  const { account, api } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "provisioning", "groups"],
    queryFn: () => api.list<ScimGroup>("/scim_groups", newest),
  });
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
                organization?.name ?? site?.name ?? choiceLabel("scim_group.classification", classification),
            },
            { label: t("provisioning.changed"), cell: ({ updated_at }) => <Timestamp at={updated_at} /> },
            { label: t("provisioning.error"), cell: ({ last_error }) => last_error ?? "" },
          ]}
        />
      </Box>
    </section>
  );
}
