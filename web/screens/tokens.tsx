import { Box, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { session } from "../api.ts";
import { linkTo } from "../history.ts";
import { t } from "../languages/index.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Empty } from "../parts/empty.tsx";
import { AddIcon } from "../parts/icons.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Problem } from "../parts/problem.tsx";
import { ProfileTabs } from "../parts/profile-tabs.tsx";
import { Rows } from "../parts/rows.tsx";
import { ScopeWords } from "../parts/scope-words.tsx";
import { say, sayError } from "../parts/toast.ts";
import { Waiting } from "../parts/waiting.tsx";
import { paths } from "../paths.ts";
import { useHere } from "../session.ts";
import type { Token } from "../wire.ts";

export function TokensScreen() {
  const { account } = useHere();
  return (
    <div>
      <PageHeader
        title={t("tokens.title")}
        lead={t("tokens.lead")}
        actions={
          <Button leftSection={<AddIcon size={16} />} {...linkTo(paths.newToken(account.id))}>
            {t("tokens.generate")}
          </Button>
        }
      />
      <ProfileTabs active="tokens">
        <Box className="card">
          <Tokens />
        </Box>
      </ProfileTabs>
    </div>
  );
}

function Tokens() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: ["tokens"], queryFn: session.tokens });
  const [asking, setAsking] = useState<Token | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: Token) => session.deleteToken(id),
    onSuccess: () => {
      say(t("tokens.deleted"));
      return queries.invalidateQueries({ queryKey: ["tokens"] });
    },
    onError: sayError,
    onSettled: () => setAsking(null),
  });
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting rows={4} />;
  if (data.length === 0) return <Empty title={t("tokens.none")} lead={t("tokens.noneLead")} />;
  return (
    <>
      <Rows
        label={t("tokens.title")}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { label: t("tokens.name"), cell: ({ name }) => name },
          { label: t("tokens.scopes"), cell: ({ scopes }) => <ScopeWords scopes={scopes} /> },
          { label: t("tokens.created"), cell: ({ created_at }) => <Moment at={created_at} /> },
          { label: t("tokens.lastUsed"), cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
        ]}
        actions={(token) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t("tokens.deleteName", { name: token.name })}
            onClick={() => setAsking(token)}
          >
            {t("tokens.delete")}
          </Button>
        )}
      />
      {asking !== null && (
        <Confirm
          title={t("tokens.deleteConfirm", { name: asking.name })}
          lead={t("tokens.deleteLead")}
          action={t("tokens.delete")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
