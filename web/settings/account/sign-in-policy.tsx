import { Box, Button, MultiSelect, Select, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { administrationApi } from "../../api/administration.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { choicesOf } from "../../languages/labels.ts";
import { ErrorMessage } from "../../parts/error-message.tsx";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { LoadingSkeleton } from "../../parts/loading-skeleton.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";
import type { SignInPolicy } from "../../wire.ts";

/** How the people of the account sign in. */
export function SignInPolicyScreen() {
  const { account } = useCurrentAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [account.id, "sign-in policy"],
    queryFn: administrationApi(account.id).signInPolicy,
  });
  return (
    <div>
      <PageHeader title={t("settings.signIn")} lead={t("settings.signInLead")} />
      {error !== null ? (
        <ErrorMessage error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingSkeleton />
      ) : (
        <PolicyForm policy={data} />
      )}
    </div>
  );
}

const demands = ["optional", "roles", "everyone"] as const;

function PolicyForm({ policy }: { policy: SignInPolicy }) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const [values, setValues] = useState(policy);
  const save = useMutation({
    mutationFn: () => administrationApi(account.id).changeSignInPolicy(values),
    onSuccess: async () => {
      showMessage(t("secondFactor.policySaved"));
      await queries.invalidateQueries({ queryKey: [account.id, "sign-in policy"] });
    },
    onError: (error) => getFieldError(error, "second_factor_roles") ?? showError(error),
  });
  return (
    <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="md">
          <Select
            label={t("secondFactor.demand")}
            description={t("secondFactor.demandHint")}
            data={demands.map((value) => ({ value, label: t(`secondFactor.${value}`) }))}
            value={values.second_factor}
            onChange={(value) => setValues({ ...values, second_factor: value as (typeof demands)[number] })}
            allowDeselect={false}
          />
          {values.second_factor === "roles" && (
            <MultiSelect
              label={t("secondFactor.demandedRoles")}
              data={choicesOf("permission.role")}
              value={[...values.second_factor_roles]}
              onChange={(second_factor_roles) => setValues({ ...values, second_factor_roles })}
              error={getFieldError(save.error, "second_factor_roles")}
              searchable
            />
          )}
          <div>
            <Button type="submit" loading={save.isPending}>
              {t("form.save")}
            </Button>
          </div>
        </Stack>
      </form>
    </Box>
  );
}
