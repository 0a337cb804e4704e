import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { t } from "../languages/index.ts";

/** The last resort: a mistake of ours shows a page with a way out instead of nothing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" role="alert">
          <Title order={1} size="h2">
            {t("error.title")}
          </Title>
          <Text>{t("error.screen")}</Text>
          <Button onClick={() => location.reload()}>{t("error.reload")}</Button>
        </Stack>
      </Center>
    );
  }
}
