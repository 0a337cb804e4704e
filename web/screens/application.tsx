import { Badge, Box, Button, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, administration } from "../api.ts";
import { go } from "../history.ts";
import { t } from "../languages/index.ts";
import { ApplicationForm } from "../parts/application-form.tsx";
import { ClientPairs } from "../parts/client-pairs.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { say, sayError } from "../parts/toast.ts";
import { Waiting } from "../parts/waiting.tsx";
import { paths } from "../paths.ts";
import { useHere } from "../session.ts";
import type { Application } from "../wire.ts";

export function ApplicationScreen({ id }: { id: number }) {
  const { account } = useHere();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "applications", id],
    queryFn: () => administration(account.id).application(id),
  });
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting rows={10} />;
  return <Shown application={data} />;
}

function Shown({ application }: { application: Application }) {
  const { account } = useHere();
  const queries = useQueryClient();
  const calls = administration(account.id);
  const { id, name, disabled } = application;
  const [asking, setAsking] = useState<"disable" | "delete" | null>(null);
  const list = paths.applications(account.id);
  const refresh = () => queries.invalidateQueries({ queryKey: [account.id, "applications"] });
  const change = useMutation({
    mutationFn: (values: Record<string, unknown>) => calls.changeApplication(id, values),
    onSuccess: async () => {
      say(t("applications.saved"));
      await refresh();
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : sayError(error)),
    onSettled: () => setAsking(null),
  });
  const remove = useMutation({
    mutationFn: () => calls.deleteApplication(id),
    onSuccess: async () => {
      say(t("applications.deleted"));
      go(list);
      await refresh();
    },
    onError: sayError,
    onSettled: () => setAsking(null),
  });
  return (
    <div>
      <PageHeader
        title={name}
        lead={t(`applications.${application.grant_type}`)}
        trail={[{ label: t("applications.title"), path: list }]}
        beside={disabled && <Badge variant="default">{t("record.disabled")}</Badge>}
        actions={
          <>
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
          onSave={(values) => change.mutate(values)}
          onCancel={() => go(list)}
        />
      </Box>
      {asking !== null && (
        <Confirm
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
