import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { session } from "../api.ts";
import { t } from "../languages/index.ts";
import type { Authorization } from "../wire.ts";
import { Confirm } from "./confirm.tsx";
import { Moment } from "./moment.tsx";
import { Problem } from "./problem.tsx";
import { Rows } from "./rows.tsx";
import { ScopeWords } from "./scope-words.tsx";
import { say, sayError } from "./toast.ts";
import { Waiting } from "./waiting.tsx";

/** Applications that may act for somebody, until that is taken back. */
export function Authorizations() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["authorizations"], queryFn: session.authorizations });
  const [asking, setAsking] = useState<Authorization | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: Authorization) => session.revokeAuthorization(id),
    onSuccess: (_answer, { application }) => {
      say(t("profile.revoked", { name: application.name }));
      return queries.invalidateQueries({ queryKey: ["authorizations"] });
    },
    onError: sayError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Waiting rows={3} />;
  if (data.length === 0)
    return (
      <Text p="md" c="dimmed">
        {t("profile.noAuthorizations")}
      </Text>
    );
  return (
    <>
      <Rows
        label={t("profile.authorizations")}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t("applications.name"),
            cell: ({ application, account }) => (
              <>
                {application.name}
                <Text size="sm" c="dimmed" fw={400}>
                  {account.name}
                </Text>
              </>
            ),
          },
          { label: t("applications.scopes"), cell: ({ scopes }) => <ScopeWords scopes={scopes} /> },
          { label: t("tokens.created"), cell: ({ created_at }) => <Moment at={created_at} /> },
          { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        ]}
        actions={(each) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("profile.revokeName", { name: each.application.name })}
            onClick={() => setAsking(each)}
          >
            {t("profile.revoke")}
          </Button>
        )}
      />
      {asking !== null && (
        <Confirm
          title={t("profile.revokeConfirm", { name: asking.application.name })}
          lead={t("profile.revokeLead")}
          action={t("profile.revoke")}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
