import { Box } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { administrationApi } from "../../api/administration.ts";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import { ProofGate } from "../proof/proof-gate.tsx";
import { settingsPaths } from "../settings-paths.ts";
import { ApplicationForm } from "./application-form.tsx";

export function NewApplicationScreen() {
  const { account } = useCurrentAccount();
  const given = useSearch({ strict: false }) as { name?: string; scopes?: string; grant_type?: string };
  const queries = useQueryClient();
  const list = settingsPaths.applications(account.id);
  const create = useMutation({
    mutationFn: administrationApi(account.id).createApplication,
    onSuccess: ({ id }) => {
      showMessage(t("applications.created"));
      void queries.invalidateQueries({ queryKey: [account.id, "applications"] });
      navigateTo(settingsPaths.application(account.id, id), true);
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : showError(error)),
  });
  return (
    <div>
      <ProofGate />
      <PageHeader title={t("applications.new")} trail={[{ label: t("applications.title"), path: list }]} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ApplicationForm
          given={given}
          error={create.error}
          busy={create.isPending}
          onSave={create.mutateAsync}
          onCancel={() => navigateTo(list)}
        />
      </Box>
    </div>
  );
}
