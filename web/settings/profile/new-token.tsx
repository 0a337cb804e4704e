import { Box, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { profileApi } from "../../api/profile.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { linkTo, navigateTo } from "../../history.ts";
import { t } from "../../languages/index.ts";
import { getFieldError } from "../../parts/forms/field-error.ts";
import { Secret } from "../../parts/forms/secret.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ScopeChooser } from "../../parts/scopes/scope-chooser.tsx";
import { buildScopes, emptySelection, parseScopeText } from "../../parts/scopes/scope-selection.ts";
import { showError } from "../../parts/toast.tsx";
import { paths } from "../../paths.ts";

/** Generate a token. A link may bring name and scopes along; the person still decides. */
export function NewTokenScreen() {
  const { account } = useCurrentAccount();
  const given = useSearch({ strict: false }) as { name?: string; scopes?: string };
  const queries = useQueryClient();
  const [name, setName] = useState(given.name ?? "");
  const [picked, setPicked] = useState(given.scopes === undefined ? emptySelection : parseScopeText(given.scopes));
  const create = useMutation({
    mutationFn: () => profileApi.createToken({ name, scopes: buildScopes(picked) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
    onError: (error) => getFieldError(error, "name") ?? getFieldError(error, "scopes") ?? showError(error),
  });
  const list = paths.tokens(account.id);
  const trail = [{ label: t("tokens.title"), path: list }];
  if (create.data !== undefined) return <NewToken token={create.data.token} list={list} />;
  return (
    <div>
      <PageHeader title={t("tokens.generate")} lead={t("tokens.lead")} trail={trail} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Stack gap="lg">
            <TextInput
              label={t("tokens.name")}
              description={t("tokens.nameHint")}
              required
              maxLength={128}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={getFieldError(create.error, "name")}
            />
            <ScopeChooser
              label={t("tokens.scopes")}
              value={picked}
              onChange={setPicked}
              error={getFieldError(create.error, "scopes")}
            />
            <Group>
              <Button type="submit" loading={create.isPending}>
                {t("tokens.generate")}
              </Button>
              <Button variant="default" onClick={() => navigateTo(list)}>
                {t("form.cancel")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Box>
    </div>
  );
}

function NewToken({ token, list }: { token: string; list: string }) {
  const { account } = useCurrentAccount();
  const call = `curl -H "Authorization: Bearer ${token}" -H "account: ${account.id}" "${location.origin}/v1/me"`;
  return (
    <div>
      <PageHeader title={t("tokens.secretTitle")} lead={t("tokens.secretLead")} />
      <Box className="card" p={{ base: "md", sm: "lg" }} maw={760}>
        <Stack gap="md">
          <Secret name={t("tokens.secretTitle")} value={token} />
          <Text fw={600}>{t("tokens.tryIt")}</Text>
          <Secret name={t("tokens.tryIt")} value={call} />
          <div>
            <Button {...linkTo(list)}>{t("tokens.done")}</Button>
          </div>
        </Stack>
      </Box>
    </div>
  );
}
