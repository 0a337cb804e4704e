import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { showError, showMessage } from "../../parts/toast.tsx";

/** For people who lost their authenticator app and their recovery codes. */
export function ResetSecondFactor({ person, name }: { person: number; name: string }) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => api.remove(`/people/${person}/second_factor`),
    onSuccess: () => showMessage(t("secondFactor.wasReset", { name })),
    onError: (error) =>
      error instanceof ApiError && error.status === 404
        ? showMessage(t("secondFactor.notSetUp", { name }))
        : showError(error),
    onSettled: () => {
      setIsAsking(false);
      return queries.invalidateQueries({ queryKey: [account.id, "sign-in methods", person] });
    },
  });
  return (
    <>
      <Button variant="default" size="xs" mt={6} onClick={() => setIsAsking(true)}>
        {t("secondFactor.reset")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t("secondFactor.resetConfirm", { name })}
          lead={t("secondFactor.resetLead")}
          action={t("secondFactor.reset")}
          busy={reset.isPending}
          onConfirm={() => reset.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
