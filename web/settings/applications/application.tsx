import { Badge, Box, Button, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Application } from "../../api/administration.ts";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { linkTo, navigateTo } from "../../base/history.ts";
import { settingsPaths } from "../../base/settings-paths.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProofGate } from "../../parts/proof/proof-gate.tsx";
import { applicationQueries } from "../../queries/settings/applications.ts";
import { ApplicationForm } from "./application-form.tsx";
import { ClientPairs } from "./client-pairs.tsx";

export function ApplicationScreen({ id }: { id: number }) {
  const { api } = useCurrentAccount();
  const { data, error, refetch } = useQuery(applicationQueries.one(api, id));
  if (error !== null) return <ErrorMessage error={error} retry={() => void refetch()} />;
  if (data === undefined) return <LoadingSkeleton rows={10} />;
  return <ApplicationPage application={data} />;
}

function ApplicationPage({ application }: { application: Application }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const calls = administrationApi(account.id);
  const { id, name, disabled } = application;
  const [asking, setAsking] = useState<"disable" | "delete" | null>(null);
  const list = settingsPaths.applications(account.id);
  const refresh = () => queries.invalidateQueries({ queryKey: applicationQueries.all(api) });
  const change = useMutation({
    mutationFn: (values: Record<string, unknown>) => calls.changeApplication(id, values),
    onSuccess: async () => {
      showMessage(t("applications.saved"));
      await refresh();
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : showError(error)),
    onSettled: () => setAsking(null),
  });
  const remove = useMutation({
    mutationFn: () => calls.deleteApplication(id),
    onSuccess: async () => {
      showMessage(t("applications.deleted"));
      navigateTo(list);
      await refresh();
    },
    onError: showError,
    onSettled: () => setAsking(null),
  });
  return (
    <div>
      <ProofGate />
      <PageHeader
        title={name}
        lead={t(`applications.${application.grant_type}`)}
        trail={[{ label: t("applications.title"), path: list }]}
        beside={disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
        actions={
          <>
            <Button variant="default" {...linkTo(settingsPaths.tryApplication(account.id, id))}>
              {t("tryFlow.title")}
            </Button>
            <Button
              variant="default"
              onClick={() => (disabled ? change.mutate({ disabled: false }) : setAsking("disable"))}
            >
              {t(disabled ? "applications.enable" : "applications.disable")}
            </Button>
            <Button variant="default" onClick={() => setAsking("delete")}>
              {t("applications.delete")}
            </Button>
          </>
        }
      />
      <ClientPairs application={application} refresh={refresh} />
      <Title order={2} size="h4" mt="xl" mb="sm">
        {t("applications.settings")}
      </Title>
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ApplicationForm
          key={application.updated_at}
          application={application}
          error={change.error}
          busy={change.isPending}
          onSave={change.mutateAsync}
          onCancel={() => navigateTo(list)}
        />
      </Box>
      {asking !== null && (
        <ConfirmDialog
          title={t(`applications.${asking}Confirm`, { name })}
          lead={t(`applications.${asking}Lead`)}
          action={t(`applications.${asking}`)}
          busy={change.isPending || remove.isPending}
          onConfirm={() => (asking === "disable" ? change.mutate({ disabled: true }) : remove.mutate())}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}
