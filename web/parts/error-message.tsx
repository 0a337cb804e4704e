import { Button, Center, Group, Stack, Text, Title } from "@mantine/core";
import { useContext } from "react";
import { ApiError } from "../api.ts";
import { CurrentAccountContext } from "../current-account.ts";
import { linkTo } from "../history.ts";
import { t } from "../languages/index.ts";
import { paths } from "../paths.ts";
import { errorText, errorTitle } from "./error-text.ts";
import { AlertIcon } from "./icons.tsx";

/** In place of what could not be shown. Trying again is offered where it may help. */
export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => void }) {
  const here = useContext(CurrentAccountContext);
  const lasting = error instanceof ApiError && [403, 404].includes(error.status);
  const home = here === null ? "/" : paths.home(here.account.id);
  return (
    <Center mih="40vh" p="md">
      <Stack align="center" gap="sm" maw={460} ta="center" role="alert">
        <AlertIcon size={36} />
        <Title order={1} size="h3">
          {errorTitle(error)}
        </Title>
        <Text>{errorText(error)}</Text>
        <Group>
          {retry !== undefined && !lasting && <Button onClick={retry}>{t("error.retry")}</Button>}
          <Button variant="default" {...linkTo(home)}>
            {t("error.home")}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
