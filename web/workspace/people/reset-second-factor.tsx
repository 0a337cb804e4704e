import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import { ApiError } from "../../api/index.ts";
import { showError, showMessage } from "../../elements/toast.tsx";
import { t } from "../../languages/index.ts";
import { ConfirmDialog } from "../../parts/dialogs/confirm-dialog.tsx";
import { personQueries } from "../../queries/workspace/people.ts";

/** For people who lost their authenticator app and their recovery codes. */
export function ResetSecondFactor({ person, name }: { person: number; name: string }) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => api.call("DELETE /people/:id/second_factor", { id: person }),
    onSuccess: () => showMessage(t("secondFactor.wasReset", { name })),
    onError: (error) =>
      error instanceof ApiError && error.status === 404
        ? showMessage(t("secondFactor.notSetUp", { name }))
        : showError(error),
    onSettled: () => {
      setIsAsking(false);
      return queries.invalidateQueries({ queryKey: personQueries.signInMethods(api, person).queryKey });
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
