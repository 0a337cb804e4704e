import { Box } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ApiError, administration } from "../api.ts";
import { go } from "../history.ts";
import { t } from "../languages/index.ts";
import { ApplicationForm } from "../parts/application-form.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { say, sayError } from "../parts/toast.ts";
import { paths } from "../paths.ts";
import { useHere } from "../session.ts";

export function NewApplicationScreen() {
  const { account } = useHere();
  const given = useSearch({ strict: false }) as { name?: string; scopes?: string; grant_type?: string };
  const queries = useQueryClient();
  const list = paths.applications(account.id);
  const create = useMutation({
    mutationFn: administration(account.id).createApplication,
    onSuccess: ({ id }) => {
      say(t("applications.created"));
      void queries.invalidateQueries({ queryKey: [account.id, "applications"] });
      go(paths.application(account.id, id), true);
    },
    onError: (error) => (error instanceof ApiError && error.problems.length > 0 ? undefined : sayError(error)),
  });
  return (
    <div>
      <PageHeader title={t("applications.new")} trail={[{ label: t("applications.title"), path: list }]} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <ApplicationForm
          given={given}
          error={create.error}
          busy={create.isPending}
          onSave={(values) => create.mutate(values)}
          onCancel={() => go(list)}
        />
      </Box>
    </div>
  );
}
