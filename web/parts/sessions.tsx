import { Badge, Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { session } from "../api.ts";
import { t } from "../languages/index.ts";
import { browserName } from "./browser-name.ts";
import { Moment } from "./moment.tsx";
import { Problem } from "./problem.tsx";
import { Rows } from "./rows.tsx";
import { say, sayError } from "./toast.ts";
import { Waiting } from "./waiting.tsx";

/** Where somebody is signed in; every browser but this one can be signed out from here. */
export function Sessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["sessions"], queryFn: session.sessions });
  const end = useMutation({
    mutationFn: session.endSession,
    onSuccess: () => {
      say(t("profile.sessionEnded"));
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: sayError,
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Waiting rows={3} />;
  return (
    <Rows
      label={t("profile.sessions")}
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        {
          label: t("profile.browser"),
          cell: ({ user_agent, current }) => (
            <Group gap={8}>
              {browserName(user_agent)}
              {current && <Badge variant="default">{t("profile.thisSession")}</Badge>}
            </Group>
          ),
        },
        { label: t("profile.address"), cell: ({ address }) => address },
        { label: t("profile.signedInSince"), cell: ({ created_at }) => <Moment at={created_at} /> },
        { label: t("profile.lastSeen"), cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
      ]}
      actions={({ id, current, user_agent }) =>
        !current && (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables === id}
            aria-label={t("profile.endSessionName", { browser: browserName(user_agent) })}
            onClick={() => end.mutate(id)}
          >
            {t("profile.endSession")}
          </Button>
        )
      }
    />
  );
}
